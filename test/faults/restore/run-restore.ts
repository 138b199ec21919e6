import type { StopList } from '../../../dev/processes/stop-list.ts';
import { opened } from '../../harness/channels/channel-tokens.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { until } from '../../harness/until.ts';
import { countWaiting, readLedger } from '../ledger-facts.ts';
import { readIds, idsGivenTwice, type IdRecord } from './id-record.ts';
import { burstOptions, causeIncident, type Incident } from './incident.ts';
import { ARCHIVE_TIMEOUT_SECONDS } from './restore-servers.ts';
import { type RestoreStage, startRestoreStage } from './restore-stage.ts';
import { runningIds, troubledRuns } from './runs.ts';

export interface RunRestore {
  readonly events: number;
  readonly say: (text: string) => void;
}

export interface RestoredCase {
  readonly temporal: 'same' | 'empty';
  readonly restoreSeconds: number;
  readonly readySeconds: number;
  readonly drainedSeconds: number;
  readonly lostEvents: number;
  readonly namedDeliveries: number;
  readonly runsEnded: Readonly<Record<string, number>>;
  readonly ids: IdRecord;
  readonly problems: readonly string[];
}

export interface RestoreReport {
  readonly acknowledged: number;
  readonly archiveTimeoutSeconds: number;
  readonly unarchivedSeconds: number;
  readonly cases: readonly Omit<RestoredCase, 'ids'>[];
  readonly problems: readonly string[];
}

/** Slow machines need minutes for the retries of a backlog. */
const DRAIN_MS = 6 * 60_000;
/**
 * Of the incident. The second restore would otherwise replay the start of the first one, in which the sequences already
 * skip ids, and would not show that it skips more itself.
 */
const FIRST_TIMELINE = '1';

/**
 * Loses the server under traffic, restores it to a moment in the traffic, and starts against the same Temporal. Then
 * restores the same backup once more and starts against an empty Temporal.
 */
export async function runRestore({ events, say }: RunRestore, stops: StopList): Promise<RestoreReport> {
  const stage = await startRestoreStage(stops);
  const sameTemporal = await stage.startEmptyTemporal();
  const incident = await causeIncident(stage, { temporalAddress: sameTemporal, count: events, say });
  say(`All processes are lost. Restoring to ${incident.moment}, against the same Temporal.`);
  stage.receiver.heal();
  const same = await restore(stage, { incident, temporal: 'same', address: sameTemporal, events });
  say('Restoring once more, against an empty Temporal.');
  const empty = await restore(stage, {
    incident,
    temporal: 'empty',
    address: await stage.startEmptyTemporal(),
    events,
  });
  const twice = idsGivenTwice([incident.idsAtTheEnd, same.ids, empty.ids]);
  const problems = [
    ...[same, empty].flatMap((one) => one.problems.map((problem) => `${one.temporal} Temporal: ${problem}`)),
    ...twice.slice(0, 20).map((id) => `given twice: ${id}`),
    ...stage.receiver.mixedUp.map((id) => `two messages came as ${id}`),
  ];
  if (problems.length > 0) say(stage.log.tail());
  return {
    acknowledged: incident.acknowledgedBefore.length + incident.acknowledgedAfter.length,
    archiveTimeoutSeconds: ARCHIVE_TIMEOUT_SECONDS,
    unarchivedSeconds: incident.unarchivedSeconds,
    cases: [same, empty].map(({ ids: _, ...figures }) => figures),
    problems,
  };
}

interface Case {
  readonly incident: Incident;
  readonly temporal: RestoredCase['temporal'];
  readonly address: string;
  readonly events: number;
}

/** The commands are those of docs/operators.md. */
async function restore(stage: RestoreStage, it: Case): Promise<RestoredCase> {
  const { archive, postgres, onDatabase } = stage;
  const began = performance.now();
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10;
  const since = new Date();
  await archive.run('restore.sh', [it.incident.moment, FIRST_TIMELINE]);
  await postgres.start();
  const restoreSeconds = seconds();
  await stage.admin(it.address, 'register-search-attributes');
  const report = await stage.admin(it.address, 'after-restore');
  const lostEvents = await onDatabase((db) => countLost(db, it.incident));
  const kill = await stage.startService(it.address);
  const readySeconds = seconds();
  const prefix = it.temporal === 'same' ? 'b' : 'c';
  const burst = publishBurst({ ...burstOptions(stage), count: it.events / 3, prefix });
  await burst.done;
  await until(async () => (await onDatabase(countWaiting)) === 0, { for: 'Every delivery', timeoutMs: DRAIN_MS });
  const drainedSeconds = seconds();
  const problems = await judge(stage, { ...it, report, since, fresh: burst.acknowledged, lostEvents });
  const ids = await onDatabase(readIds);
  await kill();
  await postgres.kill9();
  const runsEnded = report.afterTheMoment.runsEnded ?? {};
  const namedDeliveries = report.afterTheMoment.lost?.deliveries.count ?? 0;
  const figures = { restoreSeconds, readySeconds, drainedSeconds, lostEvents, namedDeliveries, runsEnded };
  return { temporal: it.temporal, ...figures, ids, problems };
}

async function countLost(db: Parameters<typeof readIds>[0], incident: Incident): Promise<number> {
  const kept = new Set(await db('events').pluck('platform_message_id'));
  return [...incident.acknowledgedBefore, ...incident.acknowledgedAfter].filter((id) => !kept.has(id)).length;
}

interface Judged extends Case {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the command's own shape
  readonly report: any;
  readonly since: Date;
  readonly fresh: readonly string[];
  readonly lostEvents: number;
}

async function judge(stage: RestoreStage, judged: Judged): Promise<string[]> {
  const { address, since, incident, fresh, lostEvents } = judged;
  const facts = await stage.onDatabase((db) => readLedger(db, { scheduleMs: [0] }));
  const stored = new Set(facts.deliveries.map(({ messageId }) => messageId));
  const { takenMessages } = stage.receiver;
  return [
    ...facts.broken.map((broken) => JSON.stringify(broken)),
    ...[...incident.acknowledgedBefore, ...fresh].filter((id) => !stored.has(id)).map((id) => `lost: ${id}`),
    ...[...stored].filter((id) => !takenMessages.has(id)).map((id) => `never arrived: ${id}`),
    ...facts.deliveries.filter(({ status }) => status !== 'delivered').map((one) => `ended otherwise: ${one.status}`),
    ...(lostEvents === 0 ? ['nothing was lost: the moment was too late'] : []),
    ...(await troubledRuns(address, since)),
    ...(await judgeContainer(stage, judged)),
    ...(await judgeToken(stage, judged)),
    ...(judged.temporal === 'same' ? await judgeReport(judged) : []),
  ];
}

/** It was published after the moment, so that it must not be published again. */
async function judgeContainer({ api, photo, platform }: RestoreStage, { incident }: Judged): Promise<string[]> {
  const path = `/channels/${photo.publicId}/photoapp/containers/${incident.containerId}`;
  const isPublished = async (): Promise<boolean> => (await api.call(`GET ${path}`)).body.status === 'published';
  await until(isPublished, { for: 'The published state of the container', timeoutMs: DRAIN_MS });
  const posts = platform.media.posts().length;
  return posts === 1 ? [] : [`${posts} posts of one container`];
}

async function judgeToken({ onDatabase, firstToken, tokenOf }: RestoreStage, { incident }: Judged): Promise<string[]> {
  const [old, lost] = await onDatabase(async (db) => [
    await opened(db, firstToken),
    await opened(db, incident.lostToken),
  ]);
  return [
    ...(old?.channelId === tokenOf.id ? [] : ['the token from before the moment is invalid']),
    ...(lost === undefined ? [] : ['the token from after the moment is valid']),
  ];
}

async function judgeReport({ report, incident, address }: Judged): Promise<string[]> {
  const { lost, requestEventsAgain, channelsWithLostRotation, containersEndedSince } = report.afterTheMoment;
  const running = await runningIds(address);
  const lostDeliveries: string[] = lost.deliveries.ids;
  const moment = new Date(incident.moment).getTime();
  const checks: Record<string, boolean> = {
    'names a lost delivery': lostDeliveries.length > 0,
    'ends the runs of lost deliveries': lostDeliveries.every((id) => !running.has(`delivery/${id}`)),
    'names the replay': lost.replays.ids.includes(incident.lostReplayId),
    'ends the run of the replay': !running.has(`replay/${incident.lostReplayId}`),
    'names the rotation': channelsWithLostRotation.count === 1,
    'names the container': containersEndedSince.ids.includes(incident.containerId),
    'knows the moment': Date.parse(requestEventsAgain.from) <= moment,
    'knows the end': Date.parse(requestEventsAgain.to) > moment,
    'misses no key': report.missingKeys.length === 0,
  };
  return Object.entries(checks).flatMap(([check, isTrue]) => (isTrue ? [] : [`the report does not: ${check}`]));
}
