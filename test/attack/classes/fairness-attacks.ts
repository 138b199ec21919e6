import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { sendBurst } from '../cases/burst.ts';
import { type Answer, call, type CallOptions } from '../cases/http-call.ts';
import { objectIn } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';
import { type FairnessReceiver, startFairnessReceiver, webhookAt } from './fairness-receivers.ts';
import { idIn, mark, pause, sendSigned, textMessage } from './fairness-victim.ts';

export interface FairnessAttack {
  readonly name: string;
  /** How long it runs before the victim is measured, so that it can fill what it fills. Default: 2 s. */
  readonly leadMs?: number;
  /** Starts it. The returned function ends it and may return what it got that it must not get. */
  begin(attacker: Attacker): Promise<() => Promise<string | undefined>>;
}

type Body = CallOptions['body'];

export interface Attacker {
  readonly world: World;
  readonly organization: string;
  readonly channel: string;
  readonly resourceId: string;
  readonly token: string;
  /** Never answers. */
  readonly hanging: FairnessReceiver;
  api(route: string, options?: { readonly body?: Body; readonly key?: number; readonly as?: string }): Promise<Answer>;
  /** Acts so often until the returned function is called, without waiting for answers. */
  repeat(perSecond: number, act: (n: number) => Promise<unknown>): () => void;
  /** Acts `count` times at once, each again and again within the rate limit of its key, until the returned function is called. */
  crowd(count: number, act: (n: number) => Promise<unknown>, keys?: number): () => void;
  /** Sends this number of requests with the first key at the same moment. */
  burst(count: number, route: string): Worker;
  readonly answers: Map<number, number>;
}

/** Just below the default of 600 requests per minute for one credential. */
const MOST_PER_SECOND = 9.5;
const KEYS = 20;

export async function startAttacker(world: World): Promise<Attacker & { stop(): Promise<void> }> {
  const { baseUrl, apiKey, own } = world;
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'x-workspace-id': own.workspaceId });
  const plain = (route: string, body?: Body): Promise<Answer> =>
    call(baseUrl, route, { headers: headersOf(apiKey), ...(body !== undefined && { body }) });
  const keys = await keysOf(world);
  const channel = objectIn((await plain(`GET /platform/channels/${own.channelId}`)).text);
  const token = objectIn((await plain(`GET /platform/channels/${own.channelId}/token`)).text)?.['token'];
  const hanging = await startFairnessReceiver(() => undefined);
  const answers = new Map<number, number>();
  const count = (status: number): void => void answers.set(status, (answers.get(status) ?? 0) + 1);
  return {
    world,
    hanging,
    answers,
    organization: own.organizationId,
    channel: own.channelId,
    resourceId: String(channel?.['metaResourceId']),
    token: String(token),
    api: async (route, { body, key = 0, as } = {}) => {
      const headers = headersOf(as ?? keys[key % keys.length]!);
      const answer = await call(baseUrl, route, { headers, ...(body !== undefined && { body }) });
      count(answer.status);
      return answer;
    },
    burst: (size, route) => sendBurst({ baseUrl, route, headers: headersOf(apiKey), count: size }, count),
    repeat(perSecond, act) {
      let n = 0;
      const timer = setInterval(() => void act(n++).catch(() => undefined), 1_000 / perSecond);
      return () => clearInterval(timer);
    },
    crowd(size, act, keyCount = KEYS) {
      let isOver = false;
      const cycleMs = (1_000 / MOST_PER_SECOND) * Math.ceil(size / keyCount);
      const keepActing = async (n: number): Promise<void> => {
        while (!isOver) await Promise.all([act(n).catch(() => undefined), pause(cycleMs)]);
      };
      for (let n = 0; n < size; n++) void keepActing(n);
      return () => void (isOver = true);
    },
    async stop() {
      await hanging.stop();
    },
  };
}

/** Made once, because the session that makes them ends and an organization has a limited number. */
const keysOfWorlds = new WeakMap<World, readonly string[]>();

async function keysOf(world: World): Promise<readonly string[]> {
  const { baseUrl, apiKey, own, session } = world;
  const known = keysOfWorlds.get(world);
  if (known !== undefined) return known;
  const keys = [apiKey];
  // Only people create keys.
  const headers = { authorization: `Bearer ${session?.accessToken}` };
  while (keys.length < KEYS) {
    const body = { name: `fair ${mark()}` };
    keys.push(idIn(await call(baseUrl, `POST /organizations/${own.organizationId}/keys`, { headers, body }), 'apiKey'));
  }
  keysOfWorlds.set(world, keys);
  return keys;
}

/** All connections are open and the bytes of this process are sent. */
const CONNECTED_MS = 5_000;
/** Fills what runs for up to ten seconds each. */
const FILL_MS = 12_000;
const events = ['chatapp.message.received'];

const ended = (stop: () => void, hanging?: FairnessReceiver) => async (): Promise<undefined> => {
  stop();
  // The attempts that hang end at once, and so do those that the service has queued.
  for (let n = 0; hanging !== undefined && n < 20; n++) (hanging.hangUp(), await pause(250));
};

const portalRights = ['deliveries.retry', 'subscriptions.manage', 'replays.manage'];

async function portalToken({ api, world }: Attacker): Promise<string> {
  const route = `POST /workspaces/${world.own.workspaceId}/portal-links`;
  const answer = await api(route, { body: { rights: portalRights } });
  const [, secret = ''] = idIn(answer, 'url').split('#');
  const body = { portalLinkId: idIn(answer, 'portalLinkId'), secret };
  return idIn(await call(world.baseUrl, 'POST /portal/session', { body }), 'accessToken');
}

async function hangingSubscription({ api, channel, hanging }: Attacker): Promise<string> {
  const route = `POST /channels/${channel}/subscriptions`;
  return idIn(await api(route, { body: { url: `${hanging.url}/${mark()}`, events } }), 'subscriptionId');
}

export async function withoutSubscriptions({ api, channel }: Attacker): Promise<void> {
  const { text } = await api(`GET /channels/${channel}/subscriptions?limit=100`);
  const ids = new Set(text.match(/sub_[A-Za-z0-9]{8}/g) ?? []);
  for (const id of ids) await api(`DELETE /channels/${channel}/subscriptions/${id}`);
}

const STORED = 1_200;
const STORED_BYTES = 32 * 1_024;
const PER_ENVELOPE = 60;
let hasStored = false;

/** Stores long bodies with many values, which a listener keeps as deliveries. */
async function storeBodies(attacker: Attacker): Promise<void> {
  if (hasStored) return;
  hasStored = true;
  await attacker.api(`POST /channels/${attacker.channel}/listeners`, { body: { label: `fair ${mark()}` } });
  const contacts = Array.from({ length: STORED_BYTES / 64 }, (_, n) => ({
    name: { formatted_name: `a name ${n}` },
    n,
  }));
  for (let sent = 0; sent < STORED; sent += PER_ENVELOPE) {
    const messages = Array.from({ length: PER_ENVELOPE }, () => ({ ...textMessage('stored'), contacts }));
    await sendSigned(attacker.world, messages, attacker.resourceId);
  }
}

const BURST = 600;
const unique = (): string => `nothing-${randomBytes(6).toString('hex')}`;
const span = { since: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
const statuses = ['pending', 'delivered', 'exhausted', 'skipped', 'cancelled', 'retrying'];

/** Sockets that a case opens and never finishes. */
function openSockets(url: string, count: number, head: () => string | Buffer): () => void {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = (n: number): void => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: `127.88.0.${1 + (n % 200)}` });
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.write(head());
    sockets.push(socket);
  };
  for (let n = 0; n < count; n++) open(n);
  // What the service closes is opened again, within the rate limit of a key.
  const timer = setInterval(() => {
    const n = sockets.findIndex(({ destroyed }) => destroyed);
    if (n >= 0) (sockets.splice(n, 1), open(n));
  }, 1_000 / MOST_PER_SECOND);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  };
}

const jsonHead = (path: string, authorization: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${authorization}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

type Act = (n: number) => Promise<unknown>;

interface Hammering {
  /** How often it acts. Optional. Default: as often as `atATime` acts are under way. */
  readonly perSecond?: number;
  readonly atATime?: number;
  /** Optional. The number of keys that share the acts. */
  readonly keys?: number;
  /** Optional. True if the acts hang at a receiver or a name server. Default: false. */
  readonly hangs?: boolean;
  /** Optional. True if it reads stored bodies. Default: false. */
  readonly reads?: boolean;
}

/** Does the same again and again. */
function hammering(name: string, how: Hammering, begin: (attacker: Attacker) => Act | Promise<Act>): FairnessAttack {
  const { perSecond, atATime = 1, keys, hangs = false, reads = false } = how;
  return {
    name,
    ...(hangs && { leadMs: FILL_MS }),
    async begin(attacker) {
      if (reads) await storeBodies(attacker);
      const act = await begin(attacker);
      const stop = perSecond === undefined ? attacker.crowd(atATime, act, keys) : attacker.repeat(perSecond, act);
      return ended(stop, hangs ? attacker.hanging : undefined);
    },
  };
}

const testOf = ({ channel }: Attacker, subscription: string | undefined): string =>
  `POST /channels/${channel}/subscriptions/${subscription}/test`;

/** What a tenant tries on the queues of the workers. */
const queueAttacks: readonly FairnessAttack[] = [
  hammering(
    'test events at a hanging webhook, within the rate limit of one key',
    { perSecond: MOST_PER_SECOND, hangs: true },
    async (attacker) => {
      const route = testOf(attacker, await hangingSubscription(attacker));
      return () => attacker.api(route, { body: {} });
    },
  ),
  hammering('test events at hanging subscriptions with 20 keys', { perSecond: 60, hangs: true }, async (attacker) => {
    const subs = [await hangingSubscription(attacker), await hangingSubscription(attacker)];
    return (n) => attacker.api(testOf(attacker, subs[n % 2]), { body: {}, key: n });
  }),
  hammering(
    'test events at a hanging subscription by two portal links',
    { perSecond: 2 * MOST_PER_SECOND, hangs: true },
    async (attacker) => {
      const route = testOf(attacker, await hangingSubscription(attacker));
      const tokens = [await portalToken(attacker), await portalToken(attacker)];
      return (n) => attacker.api(route, { body: {}, as: tokens[n % 2]! });
    },
  ),
  hammering(
    'webhook saves at a hanging URL',
    { perSecond: MOST_PER_SECOND, hangs: true },
    ({ api, channel, hanging }) => {
      return (n) => api(`PUT /webhook-config/${channel}`, { body: webhookAt(hanging, `/${n}`) });
    },
  ),
  hammering(
    'saves of the default webhooks at a hanging URL',
    { perSecond: 2 * MOST_PER_SECOND, hangs: true },
    ({ api, organization, world, hanging }) => {
      const owners = [`/organizations/${organization}`, `/workspaces/${world.own.workspaceId}`];
      return (n) => api(`PUT ${owners[n % 2]}/default-webhook`, { body: webhookAt(hanging, `/${n}`), key: n });
    },
  ),
  hammering(
    'tests of the alert webhook at a hanging URL',
    { perSecond: MOST_PER_SECOND, hangs: true },
    async ({ api, organization, hanging }) => {
      const route = `/organizations/${organization}/alert-webhook`;
      await api(`PUT ${route}`, { body: { url: `${hanging.url}/alerts` } });
      return () => api(`POST ${route}/test`, { body: {} });
    },
  ),
  hammering('health checks on request', { atATime: 20 }, ({ api, channel }) => {
    return (n) => api(`POST /channels/${channel}/health/refresh`, { key: n });
  }),
  hammering(
    'subscriptions at names whose name server never answers',
    { perSecond: 2 * MOST_PER_SECOND, hangs: true },
    ({ api, channel }) => {
      const body = () => ({ url: `https://${mark()}.example.net/`, events, enabled: false });
      return (n) => api(`POST /channels/${channel}/subscriptions`, { body: body(), key: n });
    },
  ),
  hammering('invitation mails', { perSecond: MOST_PER_SECOND }, ({ api, organization }) => {
    const body = () => ({ email: `fair-${mark()}@example.com`, role: 'member' });
    return (n) => api(`POST /organizations/${organization}/invitations`, { body: body(), key: n });
  }),
  {
    name: 'manual retries at a hanging receiver',
    leadMs: FILL_MS,
    begin: (attacker) => retries(attacker, { leaves: 'closed' }),
  },
  {
    name: 'manual retries behind an open circuit',
    leadMs: FILL_MS,
    begin: (attacker) => retries(attacker, { leaves: 'open' }),
  },
  {
    name: '50 slow replays',
    leadMs: FILL_MS,
    async begin(attacker) {
      const { api, channel } = attacker;
      await storeBodies(attacker);
      const replays: string[] = [];
      for (let n = 0; n < 50; n++) {
        const body = { scope: `channel:${channel}`, ...span, statuses, destination: 'webhook', ratePerSecond: 1 };
        const answer = await api('POST /replays', { body, key: n });
        const id = /rpl_[A-Za-z0-9]{8}/.exec(answer.text)?.[0];
        if (id !== undefined) replays.push(id);
      }
      return async () => {
        for (const id of replays) await api(`POST /replays/${id}/cancel`);
        return undefined;
      };
    },
  },
];

async function retries(attacker: Attacker, { leaves }: { readonly leaves: 'open' | 'closed' }) {
  const { api, world, resourceId } = attacker;
  let isRefusing = true;
  const receiver = await startFairnessReceiver(() => (isRefusing ? 500 : undefined));
  const body = { url: `${receiver.url}/retried`, events };
  const subscription = idIn(await api(`POST /channels/${attacker.channel}/subscriptions`, { body }), 'subscriptionId');
  const messages = Array.from({ length: 300 }, () => textMessage('retried'));
  const sent = leaves === 'open' ? messages : messages.slice(0, 4);
  await sendSigned(world, sent, resourceId);
  await pause(3_000);
  isRefusing = false;
  if (leaves === 'closed') await sendSigned(world, messages.slice(4), resourceId);
  const ids = new Set<string>();
  let cursor = '';
  for (let page = 0; page < 4; page++) {
    const { text } = await api(`GET /deliveries?destination=${subscription}&limit=100${cursor}`);
    for (const id of text.match(/wd_[A-Za-z0-9]{8}/g) ?? []) ids.add(id);
    const next = objectIn(text)?.['nextCursor'];
    if (typeof next !== 'string') break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  const known = [...ids];
  const act = (n: number) => api(`POST /deliveries/${known[n % known.length]}/retry`, { body: {}, key: n });
  const stop = attacker.repeat(3 * MOST_PER_SECOND, act);
  return async () => {
    stop();
    await api(`DELETE /channels/${attacker.channel}/subscriptions/${subscription}`);
    await receiver.stop();
    return undefined;
  };
}

const replaysOf = (filter: (attacker: Attacker) => object) => (attacker: Attacker) => {
  const body = () => ({ ...span, statuses, dryRun: true, ...filter(attacker) });
  return (n: number) => attacker.api('POST /replays', { body: body(), key: n });
};

/** What a tenant tries on the API's event loop and its connections to the database. */
const readAttacks: readonly FairnessAttack[] = [
  hammering('20 searches at a time', { atATime: 20, reads: true }, ({ api }) => {
    return (n) => api(`GET /deliveries?search=${unique()}`, { key: n });
  }),
  {
    name: '500 searches by one portal session',
    async begin(attacker) {
      await storeBodies(attacker);
      const as = await portalToken(attacker);
      for (let n = 0; n < 500; n++)
        void attacker.api(`GET /deliveries?search=${unique()}`, { as }).catch(() => undefined);
      return ended(() => undefined);
    },
  },
  hammering('lists with previews of long bodies', { atATime: 40, reads: true }, ({ api }) => {
    return (n) => api('GET /deliveries?limit=100&include=preview,lastAttempt', { key: n });
  }),
  hammering(
    'dry runs of replays with a search',
    { atATime: 40, reads: true },
    replaysOf(({ channel }) => ({ search: unique(), scope: `channel:${channel}` })),
  ),
  hammering(
    'dry runs of replays of an organization',
    { atATime: 40, reads: true },
    replaysOf(({ organization }) => ({ scope: `organization:${organization}` })),
  ),
  hammering('dry runs of erasures', { atATime: 40 }, ({ api, organization }) => {
    const body = () => ({ scope: { sender: `1555${mark()}` }, reason: 'fair', dryRun: true });
    return (n) => api(`POST /organizations/${organization}/erasures`, { body: body(), key: n });
  }),
  hammering(
    'histograms, statistics, overviews, usage and audit lists at the same time',
    { atATime: 60, reads: true },
    ({ api, organization, channel }) => {
      const routes = [
        `GET /deliveries/histogram?since=${span.since}`,
        `GET /channels/${channel}/statistics`,
        `GET /organizations/${organization}/overview`,
        `GET /organizations/${organization}/usage?by=channel&since=2025-01-01`,
        `GET /organizations/${organization}/usage/csv?by=channel&since=2025-01-01`,
        `GET /organizations/${organization}/audit-entries?limit=100`,
        `GET /channels/${channel}/outbound-calls?limit=100`,
      ];
      return (n) => api(routes[n % routes.length]!, { key: n });
    },
  ),
  {
    name: 'person exports that are never read',
    async begin(attacker) {
      await storeBodies(attacker);
      const { baseUrl, apiKey } = attacker.world;
      const body = JSON.stringify({ sender: '1555', reason: 'fair' });
      const path = `/organizations/${attacker.organization}/person-exports`;
      const head = () => jsonHead(path, apiKey, `content-length: ${body.length}`) + body;
      return ended(openSockets(baseUrl, 40, head));
    },
  },
  hammering('MCP calls of a search', { atATime: 20, keys: 1, reads: true }, ({ world }) => {
    const headers = { 'x-api-key': world.apiKey, accept: 'application/json, text/event-stream' };
    const given = () => ({ search: unique(), workspaceId: world.own.workspaceId });
    const params = () => ({ name: 'listDeliveries', arguments: given() });
    const body = () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: params() });
    return () => call(world.baseUrl, 'POST /mcp', { headers, body: body() });
  }),
];

/** What a tenant tries on the processes' connections and memory. */
const connectionAttacks: readonly FairnessAttack[] = [
  {
    name: 'the 600 requests that a key has per minute, at the same moment',
    leadMs: 0,
    async begin({ burst }) {
      const thread = burst(BURST, 'GET /deliveries?limit=100');
      return ended(() => void thread.terminate());
    },
  },
  {
    name: '120 event streams and 120 waiting readers',
    leadMs: CONNECTED_MS,
    async begin(attacker) {
      const { channel, world } = attacker;
      const list = await attacker.api(`POST /channels/${channel}/listeners`, { body: { label: `fair ${mark()}` } });
      const listener = /lst_[A-Za-z0-9]{8}/.exec(list.text)?.[0];
      const head = (path: string): string =>
        `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${world.apiKey}\r\nx-workspace-id: ${world.own.workspaceId}\r\n\r\n`;
      const stops = [
        openSockets(world.baseUrl, 120, () => head(`/deliveries/stream?scope=channel:${channel}`)),
        openSockets(world.baseUrl, 120, () =>
          head(`/channels/${channel}/listeners/${listener}/deliveries?waitSeconds=20`),
        ),
      ];
      return ended(() => stops.forEach((stop) => stop()));
    },
  },
  {
    name: '100 bodies of 1 MiB that never arrive at the API',
    leadMs: CONNECTED_MS,
    begin: async ({ world }) =>
      ended(openSockets(world.baseUrl, 100, () => jsonHead('/replays', world.apiKey, 'content-length: 1048576'))),
  },
  {
    name: '250 uploads that never arrive at the API',
    leadMs: CONNECTED_MS,
    begin: async ({ world, channel }) =>
      ended(
        openSockets(world.baseUrl, 250, () =>
          jsonHead(`/channels/${channel}/chatapp/media`, world.apiKey, 'content-length: 1000000').replace(
            'application/json',
            'image/png',
          ),
        ),
      ),
  },
  {
    name: '80 bodies of 1 MiB that stop at the gateway',
    leadMs: CONNECTED_MS,
    begin: async ({ world, token, resourceId }) => {
      const body = `{"a":"${'x'.repeat(1_000_000)}`;
      const head = jsonHead(`/platform/v22.0/${resourceId}/messages`, token, 'content-length: 1048000');
      return ended(openSockets(world.gatewayUrl ?? '', 80, () => head + body));
    },
  },
  hammering(
    'JSON bodies of 1 MiB at the gateway that take long to check',
    { atATime: 20 },
    ({ world, token, resourceId }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = `{"to":"1","a":[${'{"a":1},'.repeat(130_000)}0]}`;
      const route = `POST /platform/v22.0/${resourceId}/messages`;
      return () => call(world.gatewayUrl ?? '', route, { headers, body });
    },
  ),
  hammering('JSON bodies of 1 MiB at the API', { atATime: 20, keys: 1 }, ({ world }) => {
    const body = `{"scope":[${'{"a":1},'.repeat(125_000)}0]}`;
    const headers = { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' };
    return () => call(world.baseUrl, 'POST /replays', { headers, body });
  }),
  hammering('onboarding pages that begin again and again', { perSecond: 60 }, async ({ api, organization, world }) => {
    const route = `POST /organizations/${organization}/onboarding-links`;
    const answer = await api(route, { body: { label: `fair ${mark()}`, channelType: 'chatapp' } });
    const { pathname } = new URL(idIn(answer, 'url'));
    return () => call(world.baseUrl, `POST ${pathname}/begin`, { body: '' });
  }),
  hammering('signed envelopes of 4 MiB for one number', { atATime: 1 }, ({ world, resourceId }) => {
    const messages = Array.from({ length: 500 }, () => textMessage('x'.repeat(7_000)));
    return async () => (await sendSigned(world, messages, resourceId), await pause(1_000));
  }),
];

const UNVERIFIED_PER_SECOND = 10;
const FLOOD_MS = 9_000;

/** What a tenant tries on a third party, through the service. */
const thirdPartyAttacks: readonly FairnessAttack[] = (['replay', 'retry', 'test'] as const).map((how) => ({
  name: `single ${how}s at a third party's host`,
  leadMs: FLOOD_MS,
  async begin(attacker) {
    const { api, channel, world, resourceId } = attacker;
    const thirdParty = await startFairnessReceiver(() => (how === 'retry' ? 404 : 200));
    const body = { url: `${thirdParty.url}/third`, events };
    const subscription = idIn(await api(`POST /channels/${channel}/subscriptions`, { body }), 'subscriptionId');
    await sendSigned(world, [textMessage('third party'), textMessage('third party')], resourceId);
    const { deliveryId } = await thirdParty.arrival(({ path }) => path === '/third');
    await pause(500);
    const route =
      how === 'test'
        ? `POST /channels/${channel}/subscriptions/${subscription}/test`
        : `POST /deliveries/${deliveryId}/${how}`;
    const beganAtMs = performance.now();
    const before = thirdParty.arrivals.length;
    const stop = attacker.crowd(20, (n) => attacker.api(route, { body: {}, key: n }));
    return async () => {
      stop();
      const seconds = (performance.now() - beganAtMs) / 1_000;
      const count = thirdParty.arrivals.length - before;
      await api(`DELETE /channels/${channel}/subscriptions/${subscription}`);
      await thirdParty.stop();
      const most = UNVERIFIED_PER_SECOND * (seconds + 1);
      return count > most ? `${count} requests reached the third party in ${seconds.toFixed(1)} s.` : undefined;
    };
  },
}));

export const fairnessAttacks: readonly FairnessAttack[] = [
  ...connectionAttacks,
  ...thirdPartyAttacks,
  ...readAttacks,
  ...queueAttacks,
];
