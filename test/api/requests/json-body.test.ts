import test from 'ava';
import { createBodyBudget } from '../../../process/body-budget.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { rawConnection } from '../../harness/connections/raw-connection.ts';
import { eventually } from '../../harness/eventually.ts';

const json = { 'content-type': 'application/json' };

test('bodies that cannot be read as JSON are refused with the reason', async (t) => {
  const { url, apiKey } = await tenantStage(t);
  const send = async (body: string | Buffer, headers: Record<string, string> = json) => {
    const authorization = `Bearer ${apiKey}`;
    const answer = await fetch(`${url}/replays`, { method: 'POST', headers: { authorization, ...headers }, body });
    const { code, message } = (await answer.json()) as { code: string; message: string };
    return [answer.status, code, message] as const;
  };
  const values = `{"scope":[${'0,'.repeat(20_000)}0]}`;

  t.like(await send('{'), [400, 'MALFORMED_JSON']);
  t.like(await send('{}', { 'content-type': 'application/json; charset=latin1' }), [415]);
  t.like(await send('{}', { 'content-type': 'application/json; charset=UTF-8' }), [400, 'VALIDATION_ERROR']);
  t.like(await send('\ufeff{}'), [400, 'VALIDATION_ERROR']);
  const [status, code, message] = await send(values);
  t.deepEqual([status, code], [400, 'VALIDATION_ERROR']);
  t.regex(message, /at most 20000 values/);
});

test('an announced body takes no budget before it arrives', async (t) => {
  const bodies = createBodyBudget();
  const { url, apiKey, organization } = await tenantStage(t, { bodies });
  const { write } = await rawConnection(t, url);

  write(
    `POST /replays HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1048576\r\n\r\n{"a":',
  );

  await eventually(() => bodies.bytesInFlight() > 0);
  t.true(bodies.bytesInFlight() < 1_024);
  t.is(bodies.shares.largest()[0]?.organizationId, organization.id);
});
