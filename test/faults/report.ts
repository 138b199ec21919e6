import type { InvariantRule } from '../../contract/upkeep/invariants.ts';
import type { Disk } from './disk.ts';
import type { FaultKind } from './faults.ts';
import type { Misbehaviour } from './receivers/misbehaviours.ts';
import type { InjectedFault } from './inject-faults.ts';
import { wordsOf, tableText, problemLines } from '../harness/system/report-text.ts';

export interface FaultReport {
  readonly seed: number;
  readonly loadSeconds: number;
  readonly ratePerSecond: number;
  readonly fullDisk: Disk['kind'];
  readonly acknowledged: number;
  /** Responses other than 200 by status; `none` for no response. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Deliveries of the acknowledged events, one per destination. */
  readonly due: number;
  readonly delivered: number;
  readonly exhausted: number;
  readonly lost: number;
  /** Acknowledged messages that an asynchronous standby did not have. */
  readonly lostWithPrimary: readonly string[];
  readonly repeated: number;
  /** First arrivals after a later message of their conversation. */
  readonly disordered: number;
  /** Events beyond the acknowledged ones, and deliveries marked as delivered that no receiver accepted. */
  readonly storedTwice: number;
  readonly falselyDelivered: number;
  readonly faults: readonly FaultRow[];
  readonly longestRecoverySeconds: number | null;
  readonly receivers: readonly ReceiverRow[];
  readonly hugeAnswers: { readonly count: number; readonly medianBytes: number; readonly keptBytes: number };
  readonly connectionsTo: { readonly privateAddress: number; readonly redirectTarget: number };
  readonly nameAnswers: Readonly<Record<string, number>>;
  readonly memoryMb: { readonly most: ByProcess; readonly last: ByProcess };
  /** Exits that no fault caused. */
  readonly endedByThemselves: ByProcess;
  readonly brokenInvariants: Readonly<Partial<Record<InvariantRule, number>>>;
  readonly strikes: readonly InjectedFault[];
  /** Empty if the run is good. */
  readonly problems: readonly string[];
}

type ByProcess = Readonly<Record<'worker' | 'api', number>>;

export interface FaultRow {
  readonly kind: FaultKind;
  readonly count: number;
  readonly refused: number;
  /** Null if the service did not recover from one of the faults. */
  readonly longestRecoverySeconds: number | null;
}

export interface ReceiverRow {
  readonly misbehaviour: Misbehaviour | 'healthy';
  readonly destinations: number;
  readonly delivered: number;
  readonly repeated: number;
  readonly disordered: number;
  readonly exhausted: number;
  readonly lost: number;
  /** By outcome and status or error. */
  readonly attempts: Readonly<Record<string, number>>;
}

/** A strike of two faults counts for both kinds. */
export function faultRows(strikes: readonly InjectedFault[], kinds: readonly FaultKind[]): FaultRow[] {
  return kinds.map((kind) => {
    const own = strikes.filter(({ kinds }) => kinds.includes(kind));
    const refused = own.reduce((sum, { refusedCount }) => sum + refusedCount, 0);
    return { kind, count: own.length, refused, longestRecoverySeconds: longestRecoverySeconds(own) };
  });
}

export function longestRecoverySeconds(strikes: readonly InjectedFault[]): number | null {
  if (strikes.some(({ recoveryMs }) => recoveryMs === null)) return null;
  return Math.max(0, ...strikes.map(({ recoveryMs }) => (recoveryMs ?? 0) / 1_000));
}

export function reportText(report: FaultReport): string {
  const { refusals, memoryMb, endedByThemselves, connectionsTo, hugeAnswers } = report;
  const numbers = {
    acknowledged: report.acknowledged,
    'refused, and sent again': wordsOf(refusals),
    'deliveries due': report.due,
    delivered: report.delivered,
    exhausted: report.exhausted,
    lost: report.lost,
    'lost with the primary': report.lostWithPrimary.length === 0 ? 'none' : report.lostWithPrimary.join(' '),
    repeated: report.repeated,
    disordered: report.disordered,
    'stored twice': report.storedTwice,
    'falsely delivered': report.falselyDelivered,
    'longest time to recovery': `${report.longestRecoverySeconds ?? 'never'} s`,
    'connections to the private address': connectionsTo.privateAddress,
    'redirects followed': connectionsTo.redirectTarget,
    'answers of 1 GB': `${hugeAnswers.count}, read of each ${hugeAnswers.medianBytes} bytes, kept ${hugeAnswers.keptBytes}`,
    'answers of the name server': wordsOf(report.nameAnswers),
    'most memory, MB': wordsOf(memoryMb.most),
    'memory at the end, MB': wordsOf(memoryMb.last),
    'ended by themselves': wordsOf(endedByThemselves),
    'broken invariants': wordsOf(report.brokenInvariants),
  };
  const title = `seed ${report.seed}, ${report.loadSeconds} s at ${report.ratePerSecond}/s, full disk by ${report.fullDisk}`;
  return [
    title,
    tableText(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    tableText([
      ['fault', 'times', 'refused', 'longest recovery'],
      ...report.faults.map(({ kind, count, refused, longestRecoverySeconds: seconds }) => {
        return [kind, String(count), String(refused), `${seconds ?? 'never'} s`];
      }),
    ]),
    tableText([
      ['receiver', 'of them', 'delivered', 'repeated', 'disordered', 'exhausted', 'lost', 'attempts'],
      ...report.receivers.map(({ attempts, ...row }) => [...Object.values(row).map(String), wordsOf(attempts)]),
    ]),
    ...problemLines(report.problems),
  ].join('\n\n');
}
