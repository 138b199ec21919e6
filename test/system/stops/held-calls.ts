import type { ExecutionContext } from 'ava';
import type { ChannelType } from '../../../contract/event-types.ts';
import type { ContentFault } from '../../../simulator/content/control.ts';
import type { MessagingFault } from '../../../simulator/messaging/control.ts';
import { seededIds } from '../../../simulator/content/seed.ts';
import { apiVersions } from '../../../platform/client/chatapp-word.ts';
import { postMcp } from '../../harness/api/mcp.ts';
import { type ConnectedChannel, startSystem, type System } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const ids = seededIds('011');
const resourceIds: Partial<Record<ChannelType, string>> = { pageapp: ids.pageId };
const PERSON = '15551230001';
/** The longest delay of the simulator. Tests end it themselves. */
const HELD_MS = 60_000;

export interface HeldAnswer {
  readonly status: number;
  /** Undefined for a success. */
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly connection: string | null;
  readonly text: string;
}

export interface StopStage extends System {
  readonly channels: Readonly<Record<'chatapp' | 'pageapp', ConnectedChannel>>;
  readonly tokens: Readonly<Record<'chatapp' | 'pageapp', string>>;
}

type Held = { readonly messaging: MessagingFault['at'] } | { readonly content: NonNullable<ContentFault['at']> };

export interface HeldCall {
  readonly name: string;
  readonly via: 'api' | 'gateway';
  /** The call that the platform answers late. */
  readonly held: Held;
  readonly send: (stage: StopStage) => Promise<HeldAnswer>;
  /** The answer of a process that does not wait for the platform. */
  readonly early: { readonly status: number; readonly code: string };
  /** Repeats the request with its Idempotency-Key. */
  readonly isKeyed?: boolean;
}

const unknown = { status: 504, code: 'PLATFORM_OUTCOME_UNKNOWN' } as const;
const unavailable = { status: 503, code: 'PLATFORM_UNAVAILABLE' } as const;

interface ApiRequest {
  readonly type: 'chatapp' | 'pageapp';
  readonly route: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const viaApi =
  ({ type, route, body, headers = {} }: ApiRequest) =>
  async ({ apiUrls, channels, tenant }: StopStage): Promise<HeldAnswer> => {
    const [method = '', path = ''] = route.split(' ');
    const json = body !== undefined && typeof body !== 'string';
    const response = await fetch(`${apiUrls[0]}/channels/${channels[type].publicId}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tenant.apiKey}`,
        ...(json && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : String(body) }),
    });
    return await heldAnswer(response);
  };

const viaGateway =
  ({ type, route, body, headers = {} }: ApiRequest) =>
  async ({ gatewayUrls, channels, tokens }: StopStage): Promise<HeldAnswer> => {
    const [method = '', path = ''] = route.split(' ');
    const form = body instanceof FormData;
    const response = await fetch(
      `${gatewayUrls[0]}/platform/${apiVersions[type]}/${channels[type].resourceId}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${tokens[type]}`,
          ...(body !== undefined && !form && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      },
    );
    return await heldAnswer(response);
  };

const viaMcp =
  (name: string, given: (stage: StopStage) => object) =>
  async (stage: StopStage): Promise<HeldAnswer> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given(stage) } };
    const answer = await postMcp(stage.apiUrls[0]!, call, {
      'x-api-key': stage.tenant.apiKey,
      'mcp-protocol-version': '2025-11-25',
    });
    const [message = answer.body] = answer.messages;
    const { isError, content, structuredContent } = message.result;
    const shown = isError ? JSON.parse(content[0].text) : structuredContent;
    return {
      status: isError ? shown.statusCode : 200,
      code: shown.code,
      retryAfter: shown.retryAfter ?? null,
      connection: answer.headers.get('connection'),
      text: JSON.stringify(shown),
    };
  };

async function heldAnswer(response: Response): Promise<HeldAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    code: response.ok ? undefined : JSON.parse(text).code,
    retryAfter: response.headers.get('retry-after'),
    connection: response.headers.get('connection'),
    text,
  };
}

const keyed = (key: string) => ({ 'idempotency-key': key });
const image = { 'content-type': 'image/png' };

function aForm(): FormData {
  const form = new FormData();
  form.set('messaging_product', 'chatapp');
  form.set('file', new Blob(['a picture'], { type: 'image/png' }), 'picture.png');
  return form;
}

export const heldCalls: readonly HeldCall[] = [
  {
    name: 'a message',
    via: 'api',
    held: { messaging: 'send' },
    early: unknown,
    isKeyed: true,
    send: viaApi({ type: 'chatapp', route: 'POST /messages', body: { to: PERSON, text: 'a' }, headers: keyed('send') }),
  },
  {
    name: 'an upload',
    via: 'api',
    held: { messaging: 'upload' },
    early: unknown,
    send: viaApi({ type: 'chatapp', route: 'POST /chatapp/media', body: 'a picture', headers: image }),
  },
  {
    name: 'a post',
    via: 'api',
    held: { content: 'post' },
    early: unknown,
    isKeyed: true,
    send: viaApi({
      type: 'pageapp',
      route: 'POST /pageapp/posts',
      headers: keyed('post'),
      body: { kind: 'text', message: 'a' },
    }),
  },
  {
    name: "a reel's upload",
    via: 'api',
    held: { content: 'reel_upload' },
    early: unavailable,
    send: viaApi({
      type: 'pageapp',
      route: 'POST /pageapp/reels',
      body: { videoUrl: 'https://media.example/film.mp4' },
    }),
  },
  {
    name: 'a reply',
    via: 'api',
    held: { content: 'reply' },
    early: unknown,
    isKeyed: true,
    send: viaApi({
      type: 'pageapp',
      route: `POST /pageapp/comments/${ids.pageCommentId(1)}/replies`,
      body: { message: 'a' },
      headers: keyed('reply'),
    }),
  },
  {
    name: 'a moderation',
    via: 'api',
    held: { content: 'hide' },
    early: unknown,
    isKeyed: true,
    send: viaApi({
      type: 'pageapp',
      route: `POST /pageapp/comments/${ids.pageCommentId(4)}/moderate`,
      body: { action: 'hide' },
      headers: keyed('hide'),
    }),
  },
  {
    name: 'a read',
    via: 'api',
    held: { content: 'list' },
    early: unavailable,
    send: viaApi({ type: 'pageapp', route: 'GET /pageapp/posts' }),
  },
  {
    name: 'a tool call',
    via: 'api',
    held: { content: 'photo' },
    early: unknown,
    isKeyed: true,
    send: viaMcp('publishPageappPost', ({ channels }) => ({
      channelId: channels.pageapp.publicId,
      idempotencyKey: 'tool',
      kind: 'photo',
      mediaUrl: 'https://media.example/1.jpg',
    })),
  },
  {
    name: 'a read at the gateway',
    via: 'gateway',
    held: { content: 'insights' },
    early: unavailable,
    send: viaGateway({ type: 'pageapp', route: 'GET /insights?metric=page_views_total' }),
  },
  {
    name: 'a video at the gateway',
    via: 'gateway',
    held: { content: 'video' },
    early: unknown,
    send: viaGateway({ type: 'pageapp', route: 'POST /videos', body: { file_url: 'https://media.example/1.mp4' } }),
  },
  {
    name: 'an upload at the gateway',
    via: 'gateway',
    held: { messaging: 'upload' },
    early: unknown,
    send: viaGateway({ type: 'chatapp', route: 'POST /media', body: aForm() }),
  },
];

export async function stopStage(t: ExecutionContext, env: Readonly<Record<string, string>> = {}): Promise<StopStage> {
  const system = await startSystem(t, { workers: 0, gateways: 1, env });
  const channels = { chatapp: await system.channel(), pageapp: await system.channel({ type: 'pageapp' }) };
  const resourceId = resourceIds.pageapp!;
  await system.db('channels').where({ id: channels.pageapp.id }).update({ resource_id: resourceId });
  const tokenOf = async ({ publicId }: ConnectedChannel): Promise<string> =>
    (await system.api.call(`GET /platform/channels/${publicId}/token`)).body.token;
  const tokens = { chatapp: await tokenOf(channels.chatapp), pageapp: await tokenOf(channels.pageapp) };
  return { ...system, channels: { ...channels, pageapp: { ...channels.pageapp, resourceId } }, tokens };
}

/** Sends all calls and waits until the platform has all of them. */
export async function holdCalls(stage: StopStage, calls: readonly HeldCall[]): Promise<Promise<HeldAnswer>[]> {
  const { messaging, content } = stage.platform;
  messaging.control({
    faults: calls.flatMap(({ held }) => ('messaging' in held ? [{ at: held.messaging, delayMs: HELD_MS }] : [])),
  });
  content.control({
    faults: calls.flatMap(({ held }) => ('content' in held ? [{ at: held.content, delayMs: HELD_MS }] : [])),
  });
  const answers = calls.map((call) => call.send(stage));
  await Promise.race([
    until(() => isEachHeld(stage, calls), { for: 'The calls at the platform', detail: () => callCounts(stage) }),
    Promise.race(answers).then((early) => Promise.reject(new Error(`Answered at once: ${early.text}`))),
  ]);
  return answers;
}

export function release({ platform }: StopStage): void {
  platform.messaging.release();
  platform.content.release();
}

/** The held calls that the platform has seen, by their operation. */
export function callCounts({ platform }: StopStage): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { at } of [...platform.messaging.calls(), ...platform.content.calls()]) counts[at] = (counts[at] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).filter(([at]) => heldOperations.has(at)));
}

/** The counts of writes. A read may be repeated after a failure, because it changes nothing. */
export function writeCounts(stage: StopStage): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(callCounts(stage)).filter(([at]) => !readOperations.has(at)));
}

const operationOf = ({ held }: HeldCall): string => ('messaging' in held ? held.messaging : held.content);
const heldOperations: ReadonlySet<string> = new Set(heldCalls.map(operationOf));
const readOperations: ReadonlySet<string> = new Set(
  heldCalls.filter(({ name }) => name.startsWith('a read')).map(operationOf),
);

function isEachHeld(stage: StopStage, calls: readonly HeldCall[]): boolean {
  const counts = callCounts(stage);
  const wanted = Map.groupBy(calls, operationOf);
  return [...wanted].every(([at, sameCalls]) => (counts[at] ?? 0) >= sameCalls.length);
}
