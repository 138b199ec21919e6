import { setTimeout as sleep } from 'node:timers/promises';
import { wholeScheduleMs } from '../../contract/deliveries/retry-schedule.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { withDatabase } from './database.ts';
import type { Destination } from './receivers/destinations.ts';
import type { Disk } from './disk.ts';
import { type FaultKind, faultsOf } from './faults.ts';
import { countFalselyDelivered, problemsOf, receiverRows } from './evaluate-run.ts';
import { countWaiting, type LedgerFacts, readLedger } from './ledger-facts.ts';
import type { Replication } from './standby.ts';
import { type Acknowledged, type Load, startLoad } from './load.ts';
import { MemoryWatch } from './memory.ts';
import { describeOpenRuns } from './open-runs.ts';
import { randomFrom } from '../harness/random.ts';
import { type FaultReport, faultRows, longestRecoverySeconds, type ReceiverRow } from './report.ts';
import { type Stage, startStage } from './stage.ts';
import { injectAtRandom, type InjectedFault } from './inject-faults.ts';

export interface RunFaults {
  /** A run lasts longer until each kind of fault has occurred. */
  readonly durationMs: number;
  readonly seed: number;
  readonly ratePerSecond: number;
  readonly disk: Disk['kind'];
  /** Optional. The run then has one fault, the loss of the primary. */
  readonly replication?: Replication;
  readonly say: (text: string) => void;
}

const CONVERSATIONS_EACH = 5;
/** A run of minutes can wait longer for the last deliveries to be exhausted. */
const LONG_FROM_MS = 120_000;
const SCHEDULE_SECONDS = { short: 35, long: 90 };
const PARTED_MS = { short: 5_000, long: 10_000 };
const FIRST_WAITS_SECONDS = [0.5, 1, 2, 3, 4];
const LATER_WAIT_SECONDS = 5;
const DRAIN_SLACK_MS = 240_000;
const DRAIN_LOOK_MS = 500;

/**
 * Runs the service under load with faults, ends the faults, waits until every delivery is final, and compares
 * acknowledgements, arrivals and the ledger.
 */
export async function runFaults(options: RunFaults, stops: StopList): Promise<FaultReport> {
  const { durationMs, seed, ratePerSecond, say } = options;
  const scheduleMs = scheduleFor(durationMs);
  const wholeMs = wholeScheduleMs(scheduleMs);
  const sentAtMs = new Map<string, number>();
  const stage = await startStage(
    { ...options, env: settingsFor(scheduleMs), sentAtMs: (id) => sentAtMs.get(id) },
    stops,
  );
  const memory = { worker: new MemoryWatch(stage.workers[0]!, stops), api: new MemoryWatch(stage.api, stops) };
  say(`The service is up; the load begins: ${ratePerSecond} events a second.`);
  const beganAtMs = performance.now();
  const refusingOpenMs = Math.max(durationMs - wholeMs, durationMs / 4);
  const load = startLoad({
    ...stage,
    sentAtMs,
    ratePerSecond,
    conversationsEach: CONVERSATIONS_EACH,
    channels: channelsOf(stage),
  });
  const injection = { faults: faultsOf({ ...stage, partedMs: partedFor(durationMs) }), random: randomFrom(seed) };
  const kinds = injection.faults.map(({ kind }) => kind);
  const strikes = await injectAtRandom({
    ...injection,
    durationMs,
    isOnce: options.replication !== undefined,
    load,
    say,
    hasArrivedSince: (sentAfterMs) => watched(stage).every(({ record }) => record.youngestSentAtMs > sentAfterMs),
  });
  stage.receivers.heal();
  await load.stop();
  const loadSeconds = Math.round((performance.now() - beganAtMs) / 1_000);
  return await judge({ stage, load, strikes, kinds, scheduleMs, options, loadSeconds, memory });

  function channelsOf({ receivers: { destinations } }: Stage) {
    return destinations
      .filter(({ isWebhook }) => isWebhook)
      .map(({ resourceId, misbehaviour }) => {
        // Deliveries that are never accepted must exhaust their schedule, so none may be sent near the end.
        const isOpen = (): boolean => misbehaviour !== 'refuse' || performance.now() - beganAtMs < refusingOpenMs;
        return { resourceId, isOpen };
      });
  }
}

interface Judged {
  readonly stage: Stage;
  readonly load: Load;
  readonly strikes: readonly InjectedFault[];
  readonly kinds: readonly FaultKind[];
  readonly scheduleMs: readonly number[];
  readonly options: RunFaults;
  readonly loadSeconds: number;
  readonly memory: { readonly worker: MemoryWatch; readonly api: MemoryWatch };
}

async function judge({ stage, load, strikes, kinds, scheduleMs, options, loadSeconds, memory }: Judged) {
  const { seed, ratePerSecond, replication, say } = options;
  say('Everything is healed; waiting until every delivery has ended.');
  await drain(stage, wholeScheduleMs(scheduleMs) + DRAIN_SLACK_MS);
  const ledger = await withDatabase(stage.databaseUrl, (db) => readLedger(db, { scheduleMs }));
  const run = { seed, ratePerSecond, loadSeconds, strikes, memoryMb: memoryOf(memory) };
  const figures = { ...run, ...compare({ stage, load, ledger, replication }) };
  const rows = { faults: faultRows(strikes, kinds), longestRecoverySeconds: longestRecoverySeconds(strikes) };
  const problems = problemsOf({ ...figures, ...rows });
  if (problems.length > 0) await explain(stage, say);
  return { ...figures, ...rows, problems };
}

function watched({ receivers: { destinations } }: Stage): Destination[] {
  const closing = destinations.find(({ misbehaviour }) => misbehaviour === 'refuse')?.resourceId;
  return destinations.filter(({ misbehaviour, resourceId }) => !misbehaviour && resourceId !== closing);
}

function scheduleFor(durationMs: number): number[] {
  const seconds = [...FIRST_WAITS_SECONDS];
  const wholeSeconds = durationMs < LONG_FROM_MS ? SCHEDULE_SECONDS.short : SCHEDULE_SECONDS.long;
  const sum = (): number => seconds.reduce((total, wait) => total + wait, 0);
  while (sum() < wholeSeconds) seconds.push(LATER_WAIT_SECONDS);
  return seconds.map((wait) => wait * 1_000);
}

/** Leases last 3 s. */
function partedFor(durationMs: number): number {
  return durationMs < LONG_FROM_MS ? PARTED_MS.short : PARTED_MS.long;
}

function settingsFor(scheduleMs: readonly number[]): Record<string, string> {
  return {
    RETRY_SCHEDULE_SECONDS: scheduleMs.map((waitMs) => waitMs / 1_000).join(),
    CIRCUIT_PROBE_SECONDS: '0.5,1',
    // Longer than the run: the order is guaranteed throughout.
    CONVERSATION_HOLD_SECONDS: '86400',
    DELIVERY_TIMEOUT_MS: '3000',
  };
}

async function drain({ databaseUrl }: Stage, deadlineMs: number): Promise<void> {
  const lateAtMs = performance.now() + deadlineMs;
  // Deliveries that are still pending afterwards count as lost.
  while (performance.now() < lateAtMs && (await withDatabase(databaseUrl, countWaiting)) > 0)
    await sleep(DRAIN_LOOK_MS);
}

async function explain({ log, temporalAddress }: Stage, say: RunFaults['say']): Promise<void> {
  say(log.tail());
  for (const line of await describeOpenRuns(temporalAddress)) say(line);
}

function memoryOf({ worker, api }: { worker: MemoryWatch; api: MemoryWatch }) {
  const most = { worker: worker.mostMb, api: api.mostMb };
  const last = { worker: worker.lastMb, api: api.lastMb };
  return { most, last };
}

/** An asynchronous standby does not have the primary's last transactions. These events are named, not counted as lost. */
function withoutEvent(acknowledged: readonly Acknowledged[], { deliveries }: LedgerFacts): string[] {
  const stored = new Set(deliveries.map(({ messageId }) => messageId));
  return acknowledged.filter(({ id }) => !stored.has(id)).map(({ id }) => id);
}

interface Compared {
  readonly stage: Stage;
  readonly load: Load;
  readonly ledger: LedgerFacts;
  readonly replication: Replication | undefined;
}

function compare({ stage, load, ledger, replication }: Compared) {
  const { receivers, workers, api, disk } = stage;
  const lostWithPrimary = replication === 'asynchronous' ? withoutEvent(load.acknowledged, ledger) : [];
  const acknowledged = load.acknowledged.filter(({ id }) => !lostWithPrimary.includes(id));
  const records = { acknowledged, destinations: receivers.destinations, ledger };
  const rows = receiverRows(records);
  const sum = (key: 'delivered' | 'exhausted' | 'lost' | 'repeated' | 'disordered'): number =>
    rows.reduce((total: number, row: ReceiverRow) => total + row[key], 0);
  const poured = receivers.pouredBytes.toSorted((a, b) => a - b);
  const brokenInvariants: FaultReport['brokenInvariants'] = Object.fromEntries(
    Object.entries(Object.groupBy(ledger.broken, ({ rule }) => rule)).map(([rule, rows]) => [rule, rows.length]),
  );
  return {
    fullDisk: disk.kind,
    acknowledged: load.acknowledged.length,
    refusals: Object.fromEntries(load.refusals),
    due: sum('delivered') + sum('exhausted') + sum('lost'),
    delivered: sum('delivered'),
    exhausted: sum('exhausted'),
    lost: sum('lost'),
    repeated: sum('repeated'),
    disordered: sum('disordered'),
    storedTwice: ledger.eventCount - acknowledged.length,
    lostWithPrimary,
    falselyDelivered: countFalselyDelivered(records),
    receivers: rows,
    hugeAnswers: {
      count: poured.length,
      medianBytes: poured[Math.floor(poured.length / 2)] ?? 0,
      keptBytes: ledger.longestBodyBytes,
    },
    connectionsTo: {
      privateAddress: receivers.traps.privateAddress.connectionCount(),
      redirectTarget: receivers.traps.redirect.connectionCount(),
    },
    nameAnswers: Object.fromEntries(receivers.dns.answerCounts),
    endedByThemselves: {
      worker: workers.reduce((sum, { endedByItselfCount }) => sum + endedByItselfCount, 0),
      api: api.endedByItselfCount,
    },
    brokenInvariants,
  };
}
