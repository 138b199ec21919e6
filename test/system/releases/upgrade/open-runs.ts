import { randomUUID } from 'node:crypto';
import type { ApiAnswer } from '../../../harness/api/api-answer.ts';
import type { ApiClient } from '../../../harness/system/api-client.ts';
import { until } from '../../../harness/until.ts';
import type { Tenant, TenantChannel } from './installation.ts';
import type { Hook } from './receivers.ts';

/** Runs that are open while the versions change. Each is started by one version and continued by the other. */
export interface OpenRuns {
  /** To be called when the new version serves. */
  afterUpgrade(): Promise<void>;
  /** To be called when the old version serves again. */
  afterRollback(): Promise<void>;
  /** Waits until the replays have sent everything. Returns the number of their deliveries. */
  finish(): Promise<number>;
}

export interface OpenRunsOptions {
  readonly tenant: Tenant;
  /** A channel with a webhook and delivered events. */
  readonly replayed: TenantChannel;
}

const REPLAY_RATE = 5;
const OVERLAP_SECONDS = 3_600;
const REPLAY_TIMEOUT_MS = 300_000;

/** Opens runs that are open during both moves. Each is started by one version and continued by the other. */
export async function openRuns({ tenant, replayed }: OpenRunsOptions): Promise<OpenRuns> {
  const { api } = tenant;
  const photos = await tenant.channel('photoapp');
  const containers = containersOf(api, photos);
  const early = await containers.create();
  const carried = await containers.create();
  await containers.reaches(early, 'finished');
  await containers.reaches(carried, 'finished');
  // Without a token before, there would be no overlap.
  expected(await api.callUntilDone(`GET /platform/channels/${photos.id}/token`), 200);
  await rotate(api, photos, OVERLAP_SECONDS);
  const replay = startReplay(api, replayed);
  // The first one is paused during the moves, so that it is open however long they take. The others send meanwhile.
  const [paused, ...sending] = [await replay(), await replay()];
  await turn(api, paused, 'pause');
  let late = '';
  return {
    async afterUpgrade() {
      await containers.publish(early);
      late = await containers.create();
      await containers.reaches(late, 'finished');
      await rotate(api, photos, OVERLAP_SECONDS);
      await turn(api, paused, 'resume');
      await untilSent(api, paused);
      await turn(api, paused, 'pause');
      sending.push(await replay());
    },
    async afterRollback() {
      for (const containerId of [carried, late]) await containers.publish(containerId);
      await rotate(api, photos, 0);
      await turn(api, paused, 'resume');
    },
    async finish() {
      const replays = [paused, ...sending];
      for (const one of replays) await untilReplayed(api, one);
      return replays.reduce((sum, { matched }) => sum + matched, 0);
    },
  };
}

function containersOf(api: ApiClient, { id }: TenantChannel) {
  const path = `/channels/${id}/photoapp/containers`;
  return {
    async create(): Promise<string> {
      const body = { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', caption: 'A picture' };
      const key = { 'idempotency-key': randomUUID() };
      return expected(await api.callUntilDone(`POST ${path}`, body, key), 201).containerId;
    },
    async reaches(containerId: string, status: string): Promise<void> {
      let last: unknown;
      const look = async (): Promise<boolean> => {
        last = expected(await api.callUntilDone(`GET ${path}/${containerId}`), 200).status;
        return last === status;
      };
      await until(look, { for: `${containerId} as ${status}`, detail: () => last });
    },
    /** The workflow refuses a publish until it has received the check that finished the row. */
    async publish(containerId: string): Promise<void> {
      let last: ApiAnswer | undefined;
      const publish = async (): Promise<boolean> => {
        last = await api.call(`POST ${path}/${containerId}/publish`);
        return last.status === 200;
      };
      await until(publish, { for: `The post of ${containerId}`, detail: () => last?.body });
    },
  };
}

async function rotate(api: ApiClient, { id }: TenantChannel, overlapSeconds: number): Promise<void> {
  expected(await api.callUntilDone(`POST /platform/channels/${id}/token/rotate`, { overlapSeconds }), 200);
}

interface StartedReplay {
  readonly replayId: string;
  readonly matched: number;
}

/** All replays send the same events. */
function startReplay(api: ApiClient, { id }: TenantChannel): () => Promise<StartedReplay> {
  const nowMs = Date.now();
  const body = {
    scope: `channel:${id}`,
    since: new Date(nowMs - 3_600_000).toISOString(),
    until: new Date(nowMs).toISOString(),
    statuses: ['delivered'],
    ratePerSecond: REPLAY_RATE,
  };
  return async () => expected(await api.callUntilDone('POST /replays', body), 202);
}

async function turn(api: ApiClient, { replayId }: StartedReplay, to: 'pause' | 'resume'): Promise<void> {
  expected(await api.callUntilDone(`POST /replays/${replayId}/${to}`), 202);
}

async function untilSent(api: ApiClient, { replayId }: StartedReplay): Promise<void> {
  const look = async (): Promise<boolean> =>
    expected(await api.callUntilDone(`GET /replays/${replayId}`), 200).sent > 0;
  await until(look, { for: `A delivery of ${replayId}` });
}

async function untilReplayed(api: ApiClient, { replayId, matched }: StartedReplay): Promise<void> {
  let last: ApiAnswer['body'];
  const look = async (): Promise<boolean> => {
    last = expected(await api.callUntilDone(`GET /replays/${replayId}`), 200);
    return last.status === 'completed' && last.waiting === 0;
  };
  await until(look, { for: `The end of ${replayId}`, timeoutMs: REPLAY_TIMEOUT_MS, detail: () => last });
  if (last.delivered !== matched) throw new Error(`The replay delivered ${last.delivered} of ${matched}`);
}

export interface HeldSave {
  /** Lets the probe pass, and returns the answer to the save. */
  release(): Promise<ApiAnswer>;
}

/** Saves a webhook whose first probe waits, so that its workflow is open in the middle of a move. */
export async function holdSave(api: ApiClient, channel: TenantChannel, hook: Hook): Promise<HeldSave> {
  const held = hook.hold();
  const body = { webhookUrl: hook.url, verifyToken: randomUUID() };
  const saved = api.callUntilDone(`PUT /webhook-config/${channel.id}`, body);
  saved.catch(() => undefined); // `release` throws the error.
  await until(() => held.probeCount() > 0, { for: 'The first probe of the save' });
  return {
    async release() {
      held.release();
      return await saved;
    },
  };
}

function expected({ status, body }: ApiAnswer, wanted: number): ApiAnswer['body'] {
  if (status !== wanted) throw new Error(`The API answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export async function setWebhook(api: ApiClient, channel: TenantChannel, hook: Hook): Promise<void> {
  const body = { webhookUrl: hook.url, verifyToken: randomUUID() };
  expected(await api.callUntilDone(`PUT /webhook-config/${channel.id}`, body), 200);
}
