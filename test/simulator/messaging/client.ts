import type { ExecutionContext } from 'ava';
import { createHmac } from 'node:crypto';
import { request } from 'undici';
import type { ControlEventInput } from '../../../simulator/webhooks/control-event.ts';
import { controlEvent } from '../../../simulator/webhooks/control-event.ts';
import { listen, RequestRefused, sendError } from '../../../simulator/servers/http-server.ts';
import { createMessaging, type MessagingNeeds } from '../../../simulator/messaging/messaging.ts';
import { createWebhookPoster } from '../../../simulator/webhooks/post-webhook.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { sendEvent } from '../../../simulator/webhooks/send-event.ts';
import { eventually } from '../../harness/eventually.ts';

export const number = '100000000000001';
export const photoAccount = '200000000000001';
export const page = '300000000000001';
export const person = '15551230001';
export const appSecret = 'app secret';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  // Answers are the simulator's own JSON, told apart by each test.
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A messaging side on its own clock and over HTTP, which posts to a scripted webhook that stands for the service. */
export async function messagingFor(t: ExecutionContext, options: Partial<MessagingNeeds> = {}) {
  const receiver = await startReceiver({ port: 0 });
  const service = receiver.webhook('service');
  const poster = createWebhookPoster({ webhookUrl: service.url, appSecret, retries: { count: 0, firstDelayMs: 1 } });
  const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') };
  const webhooks = { sentMs: 0, deliveredMs: 0, readMs: 0, echoMs: 0 };
  const messaging = createMessaging({ poster, appSecret, now: () => clock.nowMs, webhooks, ...options });
  const server = await listen({
    port: 0,
    onRequest: (incoming, response) => {
      messaging
        .answer(incoming, response)
        .then((isAnswered) => {
          if (!isAnswered) throw new RequestRefused(404, 'Not the messaging side');
        })
        .catch((error: unknown) => sendError(response, error));
    },
  });
  t.teardown(async () => {
    messaging.reset();
    await poster.close();
    await server.stop();
    await receiver.stop();
  });

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { body, headers }: CallOptions = {},
  ): Promise<Answer> {
    const answer = await request(path.startsWith('http') ? path : server.url + path, {
      method,
      headers: { authorization: 'Bearer token', ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const text = bytes.toString('utf8');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    };
  }
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
  /** Webhooks that came to the service, in their order; each is checked to be signed. */
  const webhooksOf = async (count: number) => {
    await eventually(() => service.requests().length >= count);
    return service.requests().map(({ bodyBase64, headers }) => {
      const bytes = Buffer.from(bodyBase64 ?? '', 'base64');
      const digest = createHmac('sha256', appSecret).update(bytes).digest('hex');
      t.is(headers['x-hub-signature-256'], `sha256=${digest}`);
      return JSON.parse(bytes.toString('utf8'));
    });
  };
  /** A webhook of a person who writes or comments. */
  const event = (input: ControlEventInput) => sendEvent(messaging.watched, controlEvent.parse(input), clock.nowMs);

  return { ...messaging, url: server.url, clock, service, call, json, send, direct, upload, webhooksOf, event };
}

interface CallOptions {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** Status, code and subcode of a refusal. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body.error?.code, body.error?.error_subcode];
}
