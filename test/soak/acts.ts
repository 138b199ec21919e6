import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StopList } from '../../dev/processes/stop-list.ts';
import type { ApiAnswer } from '../harness/api/api-answer.ts';
import { untilDone } from '../harness/system/api-client.ts';
import { until } from '../harness/until.ts';
import type { Tenant, TenantChannel } from '../system/releases/upgrade/installation.ts';
import type { SoakReceiver } from './receiver.ts';

/** Something that is done again and again beside the traffic. It throws if the service did not do it. */
export interface Act {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

export interface ActCounts {
  readonly done: ReadonlyMap<string, number>;
  /** Returns the failures since the last call. */
  takeFailures(): string[];
  /** Waits for the acts that are under way. */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;
const PATIENCE_MS = 120_000;
const REPLAY_TIMEOUT_MS = 8 * MINUTE_MS;

/** Repeats each act, its first time after one interval. */
export function repeatActs(acts: readonly Act[], stops: StopList): ActCounts {
  const ending = new AbortController();
  const done = new Map<string, number>(acts.map(({ name }) => [name, 0]));
  const failures: string[] = [];
  const repeat = async ({ name, everyMs, run }: Act): Promise<void> => {
    for (;;) {
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted) return;
      const outcome = await outcomeOf(run);
      const counted = outcome === 'unknown' ? `${name}, outcome unknown` : name;
      if (outcome instanceof Error) failures.push(`${name}: ${outcome.message}`);
      else done.set(counted, (done.get(counted) ?? 0) + 1);
    }
  };
  const all = Promise.all(acts.map(repeat));
  const stop = async (): Promise<void> => {
    ending.abort();
    await all;
  };
  stops.add({ name: 'acts', stop: async () => ending.abort() });
  return { done, takeFailures: () => failures.splice(0), stop };
}

/** A process was killed during a call that is never made twice. */
class OutcomeUnknown extends Error {}

async function outcomeOf(run: Act['run']): Promise<'done' | 'unknown' | Error> {
  try {
    await run();
    return 'done';
  } catch (error) {
    if (error instanceof OutcomeUnknown) return 'unknown';
    return error instanceof Error ? error : new Error(String(error));
  }
}

const ended: ApiAnswer = { status: 503, headers: new Headers(), body: undefined };
const isUnknown = ({ body }: ApiAnswer): boolean => body?.code === 'PLATFORM_OUTCOME_UNKNOWN';
const isRefusedForNow = ({ status }: ApiAnswer): boolean => status === 503;

export interface ApiActs {
  readonly tenant: Tenant;
  readonly photos: TenantChannel;
  readonly edited: TenantChannel;
  readonly replayed: TenantChannel;
  readonly receiver: SoakReceiver;
}

export function apiActs({ tenant: { api }, photos, edited, replayed, receiver }: ApiActs): readonly Act[] {
  let version = 1;
  const answered = async (route: string, status: number, body?: unknown): Promise<ApiAnswer['body']> => {
    const key = { 'idempotency-key': randomUUID() };
    // A killed API ends the connection. The key lets it recognize a repeated call.
    const call = () => api.call(route, body, key).catch(() => ended);
    const answer = await untilDone(call, isRefusedForNow);
    if (isUnknown(answer)) throw new OutcomeUnknown();
    if (answer.status === status) return answer.body;
    throw new Error(`${route} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  };
  const reaches = async (path: string, status: string, timeoutMs = PATIENCE_MS): Promise<void> => {
    let last: unknown;
    const look = async (): Promise<boolean> => {
      last = (await answered(`GET ${path}`, 200)).status;
      if (last === 'unknown') throw new OutcomeUnknown();
      return last === status;
    };
    await until(look, { for: `${path} as ${status}`, timeoutMs, detail: () => last });
  };
  const in20Seconds = (): string => new Date(Date.now() + 20_000).toISOString();
  const container = { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', caption: 'A picture' };
  const containers = `/channels/${photos.id}/photoapp/containers`;
  const posts = `/channels/${photos.id}/photoapp/scheduled-posts`;
  const messages = `/channels/${replayed.id}/scheduled-messages`;
  return [
    {
      name: 'edit of a webhook',
      everyMs: 2 * MINUTE_MS,
      async run() {
        const webhookUrl = receiver.urlOf('edited', ++version);
        await answered(`PUT /webhook-config/${edited.id}`, 200, { webhookUrl, verifyToken: randomUUID() });
      },
    },
    {
      name: 'published container',
      everyMs: 1.5 * MINUTE_MS,
      async run() {
        const { containerId } = await answered(`POST ${containers}`, 201, container);
        await reaches(`${containers}/${containerId}`, 'finished');
        await answered(`POST ${containers}/${containerId}/publish`, 200);
      },
    },
    {
      name: 'scheduled post',
      everyMs: 2.5 * MINUTE_MS,
      async run() {
        const { scheduledPostId } = await answered(`POST ${posts}`, 202, { publishAt: in20Seconds(), container });
        await reaches(`${posts}/${scheduledPostId}`, 'started');
        const { containerId } = await answered(`GET ${posts}/${scheduledPostId}`, 200);
        await reaches(`${containers}/${containerId}`, 'published');
      },
    },
    {
      name: 'scheduled message',
      everyMs: 1.2 * MINUTE_MS,
      async run() {
        const message = { to: '15551230001', text: 'Hello' };
        const { scheduledMessageId } = await answered(`POST ${messages}`, 202, { sendAt: in20Seconds(), message });
        await reaches(`${messages}/${scheduledMessageId}`, 'sent');
      },
    },
    {
      name: 'rotation of a token',
      everyMs: 3 * MINUTE_MS,
      run: () => answered(`POST /platform/channels/${photos.id}/token/rotate`, 200, { overlapSeconds: 60 }),
    },
    {
      name: 'rotation of a signing secret',
      everyMs: 5 * MINUTE_MS,
      run: () => answered(`POST /webhook-config/${replayed.id}/rotate-hmac`, 200, { overlapSeconds: 60 }),
    },
    {
      name: 'replay',
      everyMs: 4 * MINUTE_MS,
      async run() {
        const nowMs = Date.now();
        const { replayId } = await answered('POST /replays', 202, {
          scope: `channel:${replayed.id}`,
          since: new Date(nowMs - 2 * MINUTE_MS).toISOString(),
          until: new Date(nowMs).toISOString(),
          statuses: ['delivered'],
          ratePerSecond: 20,
        });
        await reaches(`/replays/${replayId}`, 'completed', REPLAY_TIMEOUT_MS);
      },
    },
  ];
}
