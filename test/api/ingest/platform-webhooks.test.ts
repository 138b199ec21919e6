import test from 'ava';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { platformWebhookRoutes } from '../../../api/ingest/routes.ts';
import { baseUrl, testApi } from '../../harness/api/api.ts';

test('a wrong platform signature is answered with a signature challenge', async (t) => {
  const events = { accept: () => Promise.reject(new Error('taken')), idle: () => Promise.resolve() };
  const ingest = platformWebhookRoutes({
    events,
    appSecrets: ['other', 'secret'],
    verifyToken: 'token',
    baseUrl,
    bodies: createBodyBudget(),
  });
  const { refused } = await testApi(t, { ingest });
  for (const signature of [{}, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }]) {
    const { headers } = await refused('AUTH_REQUIRED', 'POST /platform/webhooks', { headers: signature, body: {} });
    t.is(
      headers.get('www-authenticate'),
      'HMAC-SHA256 header="x-hub-signature-256", ' +
        'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"',
    );
  }
});
