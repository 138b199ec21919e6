import { containerProgress } from '../../../workflows/messages/messages.ts';
import { containerWorkflowId, sequenceOf } from '../../../contract/ids.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import type { Knex } from 'knex';
import { type Burst, publishBurst } from '../../harness/system/publish.ts';
import { until } from '../../harness/until.ts';
import { type IdRecord, readIds } from './id-record.ts';
import type { RestoreStage } from './restore-stage.ts';
import { runningIds } from './runs.ts';
import { onTemporal } from '../../harness/temporal/runs.ts';

/** What happened before the loss of the server. */
export interface Incident {
  /** To which the database is restored, as people write it. */
  readonly moment: string;
  readonly acknowledgedBefore: readonly string[];
  readonly acknowledgedAfter: readonly string[];
  readonly idsAtTheEnd: IdRecord;
  readonly containerId: string;
  readonly lostReplayId: string;
  readonly lostToken: string;
  /** Between the last archived segment and the loss. */
  readonly unarchivedSeconds: number;
}

const image = { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', caption: 'A picture' };
const LANES = 24;
const LATER_SENDER = 15_560_000_000;
const DELIVERY = 'delivery/';

export interface Cause {
  readonly temporalAddress: string;
  /** Of events before the changes. Half as many follow. */
  readonly count: number;
  readonly say: (text: string) => void;
}

/** Traffic with failing receivers, changes after the moment, and the loss of all processes. */
export async function causeIncident(stage: RestoreStage, { temporalAddress, count, say }: Cause): Promise<Incident> {
  const { archive, postgres, onDatabase } = stage;
  const kill = await stage.startService(temporalAddress);
  say('The service is up.');
  await archive.run('schedule-backups.sh', ['once']);
  say('The base backup is complete. The traffic begins.');
  const burst = publishBurst({ ...burstOptions(stage), count, prefix: 'a' });
  const containerId = await aFinishedContainer(stage, temporalAddress);
  await until(() => burst.acknowledged.length >= count / 3, { for: 'A third of the events' });
  await untilFailing(stage, { temporalAddress, after: 0 });
  const { moment, newest, acknowledgedBefore } = await pickMoment(stage, burst);
  say(`The moment is ${moment}, after delivery ${newest}.`);
  // Others, because a conversation whose first delivery fails keeps its further ones without attempts.
  const later = publishBurst({ ...burstOptions(stage), count: count / 2, prefix: 'd', firstSender: LATER_SENDER });
  const changes = await changeAfterwards(stage, containerId);
  await Promise.all([burst.done, later.done]);
  say('All events are acknowledged.');
  await untilFailing(stage, { temporalAddress, after: newest });
  const idsAtTheEnd = await onDatabase(readIds);
  const unarchivedSeconds = await onDatabase(async (db) => {
    const { rows } = await db.raw(
      `select extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float as seconds from pg_stat_archiver`,
    );
    return rows[0].seconds as number;
  });
  await kill();
  await postgres.kill9();
  const before = new Set(acknowledgedBefore);
  const acknowledgedAfter = [...burst.acknowledged, ...later.acknowledged].filter((id) => !before.has(id));
  return { moment, acknowledgedBefore, acknowledgedAfter, idsAtTheEnd, containerId, unarchivedSeconds, ...changes };
}

export function burstOptions({ apiUrl, platformSecret, resourceIds }: RestoreStage) {
  return { apiUrls: [apiUrl], platformSecret, resourceIds, lanes: LANES };
}

/** The names of base backups have whole seconds, so the moment must be in a later one. */
async function pickMoment({ archive, onDatabase }: RestoreStage, burst: Burst) {
  const base = (await archive.baseBackups()).at(-1) ?? '';
  return await until(
    async () => {
      const acknowledgedBefore = [...burst.acknowledged];
      const { name, ...picked } = await onDatabase(readMoment);
      return name > base && { ...picked, acknowledgedBefore };
    },
    { for: 'A moment after the base backup' },
  );
}

async function readMoment(db: Knex) {
  const { rows } = await db.raw<{ rows: [{ moment: string; name: string; newest: number }] }>(
    `select clock_timestamp()::text as moment, (select max(id) from deliveries) as newest,
       to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24-MI-SS"Z"') as name`,
  );
  return rows[0];
}

/** Waits for the workflow of a delivery with a higher number. A workflow begins with the third failure. */
async function untilFailing(
  { onDatabase, log }: RestoreStage,
  { temporalAddress, after }: { readonly temporalAddress: string; readonly after: number },
): Promise<void> {
  const { idKey } = await onDatabase(readInstallation);
  const isFailing = async (): Promise<boolean> => {
    const numbers = [...(await runningIds(temporalAddress))].map((id) =>
      id.startsWith(DELIVERY) ? sequenceOf(idKey, 'delivery', id.slice(DELIVERY.length)) : undefined,
    );
    return numbers.some((number = 0) => number > after);
  };
  await until(isFailing, { for: `The workflow of a delivery after ${after}`, detail: () => log.tail() });
}

async function aFinishedContainer({ api, photo }: RestoreStage, temporalAddress: string): Promise<string> {
  const created = await api.call(`POST /channels/${photo.publicId}/photoapp/containers`, image, {
    'idempotency-key': 'the-container',
  });
  const { containerId } = created.body;
  if (typeof containerId !== 'string') throw new Error(JSON.stringify(created.body));
  const isFinished = () =>
    onTemporal(temporalAddress, async (client) => {
      const handle = client.workflow.getHandle(containerWorkflowId(containerId));
      return (await handle.query(containerProgress).catch(() => undefined))?.status === 'finished';
    });
  await until(isFinished, { for: 'The finished container' });
  return containerId;
}

async function changeAfterwards({ api, photo, tokenOf }: RestoreStage, containerId: string) {
  const call = async (route: string, body?: object) => {
    const answer = await api.call(route, body, { 'idempotency-key': route });
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await call(`POST /channels/${photo.publicId}/photoapp/containers/${containerId}/publish`);
  const { token } = await call(`POST /platform/channels/${tokenOf.publicId}/token/rotate`, { overlapSeconds: 600 });
  const day = 86_400_000;
  const [since, until] = [Date.now() - day, Date.now() + day].map((ms) => new Date(ms).toISOString());
  const replay = { scope: `channel:${tokenOf.publicId}`, since, until, statuses: ['delivered'], ratePerSecond: 1 };
  const { replayId } = await call('POST /replays', replay);
  await call(`POST /replays/${replayId}/pause`);
  return { lostReplayId: replayId as string, lostToken: token as string };
}
