import test from 'ava';
import { request } from 'undici';
import { hmacSha256, signingSecret } from '../../activities/signing/open-secret.ts';
import { sampleAlert } from '../../activities/notifications/notification-activities.ts';
import type { AlertCallType } from '../../contract/notifications/notification.ts';
import { standardHeaders, webhookSecretText } from '../../contract/deliveries/signature.ts';
import { until } from '../harness/until.ts';
import { startNodeExample } from './example-receiver.ts';

const secret = webhookSecretText(Buffer.alloc(32, 1).toString('base64'));
const otherSecret = webhookSecretText(Buffer.alloc(32, 2).toString('base64'));
const SIX_MINUTES_MS = 360_000;

interface Call {
  readonly id: string;
  readonly type: AlertCallType;
  readonly count?: number;
  readonly status?: 'open' | 'resolved';
}

function signedCall({ id, type, count = 1, status = 'open' }: Call, { secrets = [secret], atMs = Date.now() } = {}) {
  const alert = { ...sampleAlert('org_00000001', new Date(0)), status };
  const organizationId = 'org_00000001';
  const call = { id, type, createdAt: new Date(0).toISOString(), organizationId, count, alerts: [alert] };
  const body = Buffer.from(JSON.stringify(call));
  return { headers: standardHeaders({ id, atMs, body, secrets: secrets.map(signingSecret) }, hmacSha256), body };
}

test('the documented receiver takes calls about alerts once', async (t) => {
  const receiver = await startNodeExample('alert-receiver.mjs', { ALERT_WEBHOOK_SECRET: secret });
  t.teardown(receiver.stop);
  const post = async ({ headers, body }: ReturnType<typeof signedCall>): Promise<number> => {
    const { statusCode, body: answer } = await request(receiver.url, { method: 'POST', headers, body });
    await answer.dump();
    return statusCode;
  };
  const opened = { id: 'alc_00000001', type: 'alert.opened', count: 51 } as const;
  t.is(await post(signedCall(opened, { secrets: [otherSecret] })), 401);
  t.is(await post(signedCall(opened, { atMs: Date.now() - SIX_MINUTES_MS })), 401);
  const { headers, body } = signedCall(opened);
  t.is(await post({ headers, body: Buffer.concat([body, Buffer.from(' ')]) }), 401);
  t.is(await post({ headers: {}, body }), 401);

  t.is(await post(signedCall(opened, { secrets: [otherSecret, secret] })), 204, 'during a rotation');
  t.is(await post(signedCall(opened)), 204, 'a repeat');
  t.is(await post(signedCall({ id: 'alc_00000002', type: 'alert.resolved', status: 'resolved' })), 204);
  t.is(await post(signedCall({ id: 'alc_00000003', type: 'alert.test' })), 204);
  await until(() => receiver.lines.some((line) => line.startsWith('test ')), { for: 'The last call' });
  t.deepEqual(
    receiver.lines.slice(1).map((line) => line.split(' ').slice(0, 3).join(' ')),
    ['open warning alr_00000000', 'and 50 more:', 'resolved warning alr_00000000', 'test alc_00000003'],
  );
});
