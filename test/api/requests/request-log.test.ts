import test from 'ava';
import { loggedPath } from '../../../api/requests/middleware.ts';
import { pathPattern } from '../../../contract/traces/path-pattern.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel } from '../../harness/tenants.ts';

const PHONE = '15551230007';
/** Encodes a phone number, as the platform's message ids do. */
const messageId = `wamid.${Buffer.from(`\x1c${PHONE}\x15\x02`).toString('base64url')}`;

test('request logs name routes and own ids, never phone numbers', async (t) => {
  const log = rememberingLog();
  const { db, call, workspace, at } = await tenantStage(t, { log });
  const { publicId: ch } = await aChannel(db, workspace);
  for (const route of [
    `POST /channels/${ch}/messages/${messageId}/read`,
    `GET /channels/${ch}/chatapp/media/${PHONE}`,
    `GET /deliveries?search=${PHONE}`,
    `GET /channels/${PHONE}/subscriptions`,
    `GET /${PHONE}/${messageId}`,
  ]) {
    await call(route, { ...at, ...(route.startsWith('POST') && { body: {} }) });
  }
  const lines = log.lines.filter(({ event }) => event === 'request.served');
  t.is(lines.length, 5);
  const text = JSON.stringify(log.lines);
  for (const secret of [PHONE, messageId]) t.false(text.includes(secret), text);
  t.true(text.includes(`/channels/${ch}/`), text);
});

test("a logged path has its route's pattern and only own ids", (t) => {
  t.is(
    loggedPath('/channels/ch_0aB1cD2e/messages/123', '/channels/:ch/messages/:id'),
    '/channels/ch_0aB1cD2e/messages/{id}',
  );
  t.is(loggedPath('/connect/secret/begin', '/connect/:token/begin'), '/connect/{token}/begin');
  t.is(loggedPath('/app/org_00000000/x', '/app/*path'), '/app/*path');
  t.is(loggedPath('/15551230007', undefined), '{unknown}');
  t.is(loggedPath('/channels/ch_155512300/x', '/channels/:ch/x'), '/channels/{ch}/x', 'too long for an id');
});

test('a pattern of the platform shows edges and no ids', (t) => {
  for (const [path, pattern] of [
    ['1000/messages', '{id}/messages'],
    [messageId, '{id}'],
    ['t_1000/messages', '{id}/messages'],
    ['/1000_2/private_replies', '/{id}/private_replies'],
    [`${PHONE}/%2B${PHONE}`, '{id}/{id}'],
  ] as const) {
    t.is(pathPattern(path), pattern);
  }
});
