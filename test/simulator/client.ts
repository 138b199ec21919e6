import { createHmac } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { request } from 'undici';
import { seededIds } from '../../simulator/content/seed.ts';
import type { MediaOptions } from '../../simulator/media/media.ts';
import { startPlatform } from '../../simulator/platform.ts';
import { startReceiver } from '../../simulator/receiver/receiver.ts';
import { eventually } from '../harness/eventually.ts';

export const number = '100000000000001';
export const photoAccount = '200000000000001';
/** Has no seeded posts. */
export const emptyPhotoAccount = '200000000000077';
export const page = '300000000000001';
export const person = '15551230001';
export const appSecret = 'app secret';
export const demo = seededIds('001');
export const other = seededIds('012');
export const imageUrl = 'https://media.example/photo.jpg';
export const videoUrl = 'https://media.example/film.mp4';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Sent {
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/** The platform, with a scripted webhook in place of the service and a clock of its own for media and messages. */
export async function simulated(t: ExecutionContext, media: MediaOptions = {}) {
  const receiver = await startReceiver({ port: 0 });
  const service = receiver.webhook('service');
  const clock = { nowMs: Date.parse('2030-01-01T00:00:00Z') };
  const now = (): number => clock.nowMs;
  const webhooks = { sentMs: 0, deliveredMs: 0, readMs: 0, echoMs: 0 };
  const platform = await startPlatform({
    port: 0,
    appSecret,
    webhookUrl: service.url,
    retries: { count: 0, firstDelayMs: 1 },
    media: { now, ...media },
    messaging: { now, webhooks },
  });
  t.teardown(async () => {
    await platform.stop();
    await receiver.stop();
  });

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, sent: Sent = {}): Promise<Answer> {
    const url = new URL(/^(http|\/)/.test(path) ? path : `/v25.0/${path}`, platform.url);
    for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, value);
    const { body = bodyOf(sent) } = sent;
    const headers = { authorization: 'Bearer token', ...typeOf(sent), ...sent.headers };
    const answer = await request(url, { method, headers, ...(body !== undefined && { body }) });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const text = bytes.toString('utf8');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : {},
    };
  }
  const get = (path: string, query: Record<string, string> = {}) => call('GET', path, { query });
  const post = (path: string, form: Record<string, string> = {}) => call('POST', path, { form });
  const json = (path: string, value: unknown) => call('POST', path, { json: value });

  return {
    ...platform,
    service,
    clock,
    call,
    get,
    post,
    json,
    remove: (path: string) => call('DELETE', path),
    /** Sends a chatapp message. */
    chat: (value: object, from = number) =>
      json(`${from}/messages`, { messaging_product: 'chatapp', to: person, ...value }),
    /** Waits for `count` webhooks, in order, and checks their signatures. */
    async webhooksOf(count: number) {
      await eventually(() => service.requests().length >= count);
      return service.requests().map(({ bodyBase64, headers }) => {
        const bytes = Buffer.from(bodyBase64 ?? '', 'base64');
        const digest = createHmac('sha256', appSecret).update(bytes).digest('hex');
        t.is(headers['x-hub-signature-256'], `sha256=${digest}`);
        return JSON.parse(bytes.toString('utf8'));
      });
    },
  };
}

function bodyOf({ form, json }: Sent): string | undefined {
  if (form) return new URLSearchParams(form).toString();
  return json === undefined ? undefined : JSON.stringify(json);
}

function typeOf({ form, json }: Sent): Record<string, string> {
  if (form) return { 'content-type': 'application/x-www-form-urlencoded' };
  return json === undefined ? {} : { 'content-type': 'application/json' };
}

/** Status, code and subcode. */
export function refusal({ status, body }: Pick<Answer, 'status' | 'body'>): unknown[] {
  return [status, body.error?.code, body.error?.error_subcode];
}

/** With calls of a photo account. */
export async function mediaFor(t: ExecutionContext, media: MediaOptions = {}) {
  const platform = await simulated(t, media);
  const { post, get, clock } = platform;
  const create = (fields: Record<string, string>, account = emptyPhotoAccount) => post(`${account}/media`, fields);
  return {
    ...platform,
    create,
    publish: (id: string) => post(`${emptyPhotoAccount}/media_publish`, { creation_id: id }),
    status: async (id: string) => (await get(id, { fields: 'status_code,status' })).body,
    async finished(fields: Record<string, string>): Promise<string> {
      const { id } = (await create(fields)).body;
      clock.nowMs += 20_000;
      return id;
    },
  };
}

/** With the messaging API's script; `event` sends a webhook. */
export async function messagingFor(t: ExecutionContext) {
  const platform = await simulated(t);
  const { chat, json, call, send } = platform;
  return {
    ...platform.messaging,
    ...platform,
    event: send,
    send: chat,
    direct: (account: string, value: object) => json(`${account}/messages`, value),
    async upload(fields: Record<string, string | File>, account = number) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const encoded = new Response(form);
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
      return await call('POST', `${account}/media`, { body: Buffer.from(await encoded.arrayBuffer()), headers });
    },
  };
}
