import { join } from 'node:path';
import test from 'ava';
import { demoTemplates } from '../../../simulator/messaging/chatapp-demo-templates.ts';
import { pythonEnvironment } from '../../dev/python/environment.ts';
import { runs } from '../../dev/release/installed-packages.ts';
import { businessId, customer, hmacSecret, numberId, startLibraryStage } from './library-stage.ts';

test('a Python library passes its flows at the gateway', async (t) => {
  t.timeout(600_000);
  const { python } = await pythonEnvironment(t, join(import.meta.dirname, 'packages/requirements.txt'));
  const { gatewayUrl, token, simulator, receive } = await startLibraryStage(t);
  const delivery = await receive('Grüße');
  const given = { gatewayUrl, token, numberId, businessId, customer, hmacSecret, delivery };
  const env = { ...process.env, GIVEN: JSON.stringify(given) };

  const printed = await runs(python, [join(import.meta.dirname, 'use_library.py')], { cwd: import.meta.dirname, env });

  const found = JSON.parse(printed);
  const sent = simulator.messaging.sent();
  t.deepEqual(found.sent, sent.map(({ id }) => id)); // prettier-ignore
  t.deepEqual(sent.map(({ type }) => type), ['text', 'template', 'image']); // prettier-ignore
  t.true(found.media.address.startsWith(`${gatewayUrl}/media/`), found.media.address);
  t.like(found.media, { type: 'text/plain', size: 9 });
  t.is(found.content, 'Some text');
  t.true(found.deleted);
  t.deepEqual(found.acts, [true, true, true]);
  t.deepEqual(simulator.messaging.actions().map(({ type }) => type), ['read', 'typing']); // prettier-ignore
  t.deepEqual(found.profile, { about: 'Fresh bread', websites: ['https://bakery.example'] });
  t.deepEqual(found.number, { id: numberId, name: 'Sunrise Bakery', quality: 'GREEN' });
  t.like(found.account, { id: businessId });
  t.deepEqual(found.templates, [...new Set(demoTemplates.map(({ name }) => name))].sort());
  t.like(found.received, [{ from: customer, text: 'Grüße' }]);
  t.deepEqual(found.webhook, { invalid: null, forged: 403, handled: 200 });
  t.deepEqual(found.challenge, ['12345', 200]);
  t.like(found.refusals.platform, { status: 400, code: 100, details: null });
  t.like(found.refusals.type, { status: 400, code: 100 });
  t.like(found.refusals.token, { type: 'ExpiredAccessToken', status: 401, code: 190, details: 'AUTH_REQUIRED' });
  t.like(found.refusals.foreign, { type: 'APIPermission', status: 403, code: 200, details: 'PAGEAPP_SCOPE_DENIED' });
  t.regex(found.refusals.foreign.trace, /^req_/);
});
