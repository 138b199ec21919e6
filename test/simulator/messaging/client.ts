import type { ExecutionContext } from 'ava';
import { createHmac } from 'node:crypto';
import { numberOf } from '../../../simulator/messaging/chatapp-number.ts';
import { createMessaging, type MessagingNeeds } from '../../../simulator/messaging/messaging.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { controlEvent, type ControlEventInput } from '../../../simulator/webhooks/control-event.ts';
import { createWebhookPoster } from '../../../simulator/webhooks/post-webhook.ts';
import { sendEvent } from '../../../simulator/webhooks/send-event.ts';
import { eventually } from '../../harness/eventually.ts';
import { callApi, serveApis, type Answer, type Sent } from '../api-server.ts';

export const number = '100000000000001';
export const photoAccount = '200000000000001';
export const page = '300000000000001';
export const person = '15551230001';
const appSecret = 'app secret';

/** Posts to a scripted webhook in place of the service. */
export async function messagingFor(t: ExecutionContext, options: Partial<MessagingNeeds> = {}) {
  const receiver = await startReceiver({ port: 0 });
  const service = receiver.webhook('service');
  const poster = createWebhookPoster({ webhookUrl: service.url, appSecret, retries: { count: 0, firstDelayMs: 1 } });
  const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') };
  const webhooks = { sentMs: 0, deliveredMs: 0, readMs: 0, echoMs: 0 };
  const messaging = createMessaging({ poster, appSecret, now: () => clock.nowMs, webhooks, ...options });
  t.teardown(receiver.stop);
  const { url } = await serveApis(t, [messaging.answer]);
  t.teardown(async () => {
    messaging.reset();
    await poster.close();
  });

  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, sent: Sent = {}): Promise<Answer> =>
    callApi(method, path.startsWith('http') ? path : url + path, sent);
  const json = (path: string, value: unknown) =>
    call('POST', path, { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } });
  const send = (value: object, from = number) =>
    json(`/v22.0/${from}/messages`, { messaging_product: 'chatapp', to: person, ...value });
  const direct = (account: string, value: object) => json(`/v25.0/${account}/messages`, value);
  const upload = async (fields: Record<string, string | File>, account = number) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const encoded = new Response(form);
    const body = Buffer.from(await encoded.arrayBuffer());
    return await call('POST', `/v22.0/${account}/media`, {
      body,
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    });
  };
  /** Waits for `count` webhooks, in order, and checks their signatures. */
  const webhooksOf = async (count: number) => {
    await eventually(() => service.requests().length >= count);
    return service.requests().map(({ bodyBase64, headers }) => {
      const bytes = Buffer.from(bodyBase64 ?? '', 'base64');
      const digest = createHmac('sha256', appSecret).update(bytes).digest('hex');
      t.is(headers['x-hub-signature-256'], `sha256=${digest}`);
      return JSON.parse(bytes.toString('utf8'));
    });
  };
  const event = (input: ControlEventInput) =>
    sendEvent(messaging.watched, controlEvent.parse(input), {
      nowMs: clock.nowMs,
      businessOf: (id) => numberOf([], id).businessId,
    });

  return { ...messaging, url, clock, service, call, json, send, direct, upload, webhooksOf, event };
}
