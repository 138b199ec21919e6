import test from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { aTenant } from '../../harness/tenants.ts';

const urlOf = (length: number, path = ''): string => `https://a.example?${path}`.padEnd(length, 'b');

test('a URL is limited as it is stored and shown', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { organization, apiKey: key } = await aTenant(db);
  const branding = `PUT /organizations/${organization.publicId}/branding`;
  const link = `POST /organizations/${organization.publicId}/onboarding-links`;

  const { status, body } = await call(branding, { key, body: { logoUrl: urlOf(2047) } });
  t.is(status, 200);
  t.is(body.logoUrl.length, 2048);
  for (const url of [urlOf(2048), urlOf(1000, 'ü'.repeat(400)), `https://${'a'.repeat(1994)}/`]) {
    await refused('URL_NOT_ALLOWED', branding, { key, body: { logoUrl: url } });
    const named = { channelTypes: ['chatapp'], successUrl: url };
    const answer = await call(link, { key, body: named });
    t.true(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body));
  }
});
