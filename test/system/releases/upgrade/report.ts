import type { LedgerFacts } from '../../../faults/ledger-facts.ts';
import type { Load } from '../../../faults/load.ts';
import { refusedCount } from '../../../harness/system/patient-poster.ts';
import type { GatewayCalls } from './gateway-calls.ts';
import type { RunFacts } from './histories.ts';
import { figuresOf, type Phase, type PhaseFigures } from './phases.ts';
import type { LoadedChannel, RunUpgrade } from './plan.ts';
import { wordsOf, brokenClaims, problemLines } from '../../../harness/system/report-text.ts';

export interface UpgradeReport {
  readonly from: string;
  readonly to: string;
  readonly seed: number;
  readonly ratePerSecond: number;
  readonly acknowledged: number;
  /** Answers to the platform other than 200, and connections that broke. */
  readonly refused: number;
  readonly lost: number;
  readonly disordered: number;
  /** Without those of the replays. */
  readonly repeated: number;
  readonly gatewayAnswers: Readonly<Record<string, number>>;
  readonly runs: Omit<RunFacts, 'failures'>;
  readonly phases: readonly PhaseFigures[];
  /** The longest p99 of a move, divided by the p99 before. Null without deliveries. */
  readonly p99Ratio: number | null;
  /** Empty if the run is good. The p99 is a figure, not a claim. */
  readonly problems: readonly string[];
}

export interface UpgradeFacts extends Pick<RunUpgrade, 'from' | 'to' | 'seed' | 'ratePerSecond'> {
  readonly load: Load;
  readonly gatewayCalls: GatewayCalls;
  readonly ledger: LedgerFacts;
  readonly runs: RunFacts;
  readonly phases: readonly Phase[];
  readonly channels: readonly LoadedChannel[];
  readonly replayedCount: number;
  readonly problems: readonly string[];
}

export function reportOf(facts: UpgradeFacts): UpgradeReport {
  const { load, gatewayCalls, channels, runs } = facts;
  const { acknowledged } = load;
  const healthy = channels.filter(({ name }) => name === 'healthy');
  const hooks = new Map(healthy.map(({ resourceId, hook }) => [resourceId, hook]));
  const phases = figuresOf(facts.phases, { acknowledged, hooks });
  const figures = {
    from: facts.from.name,
    to: facts.to.name,
    seed: facts.seed,
    ratePerSecond: facts.ratePerSecond,
    acknowledged: acknowledged.length,
    refused: refusedCount(load),
    lost: countLost(facts),
    disordered: channels.reduce((sum, { hook }) => sum + hook.record.disorderedIds.length, 0),
    repeated: channels.reduce((sum, { hook }) => sum + hook.record.repeatedCount, 0) - facts.replayedCount,
    gatewayAnswers: Object.fromEntries(gatewayCalls.counts),
    runs: { runCount: runs.runCount, byType: runs.byType },
    phases,
    p99Ratio: p99RatioOf(phases),
  };
  return { ...figures, problems: [...facts.problems, ...problemsOf(figures, facts)] };
}

function countLost({ load, channels }: UpgradeFacts): number {
  const hooks = new Map(channels.map(({ resourceId, hook }) => [resourceId, hook]));
  return load.acknowledged.filter(({ id, resourceId }) => !hooks.get(resourceId)?.record.countById.has(id)).length;
}

function p99RatioOf(phases: readonly PhaseFigures[]): number | null {
  const of = (name: PhaseFigures['name']) => phases.find((phase) => phase.name === name)?.p99Ms ?? null;
  const [before, ...moves] = [of('before'), of('upgrade'), of('rollback')];
  if (!before || moves.some((p99Ms) => p99Ms === null)) return null;
  return Math.round((Math.max(...moves.map(Number)) / before) * 100) / 100;
}

function problemsOf(figures: Omit<UpgradeReport, 'problems'>, { ledger, runs, load }: UpgradeFacts): string[] {
  const acknowledged = new Set(load.acknowledged.map(({ id }) => id));
  const stored = new Set(ledger.deliveries.map(({ messageId }) => messageId));
  const unfinished = ledger.deliveries.filter(({ status }) => status !== 'delivered').length;
  const badAnswers = Object.entries(figures.gatewayAnswers).filter(([status]) => status !== '200');
  const claims: [boolean, string][] = [
    [figures.acknowledged > 0, 'nothing was acknowledged'],
    [figures.lost === 0, `${figures.lost} deliveries were lost`],
    [figures.disordered === 0, `${figures.disordered} deliveries came out of order`],
    [unfinished === 0, `${unfinished} deliveries did not end as delivered`],
    [[...acknowledged].every((id) => stored.has(id)), 'an acknowledged event is not in the ledger'],
    [ledger.eventCount === stored.size, 'an event is stored twice'],
    [ledger.broken.length === 0, `rows of the ledger break its invariants: ${JSON.stringify(ledger.broken)}`],
    [badAnswers.length === 0, `the gateway did not answer 200: ${JSON.stringify(badAnswers)}`],
    [runs.failures.length === 0, `workflow tasks failed:\n${runs.failures.slice(0, 20).join('\n')}`],
  ];
  return brokenClaims(claims);
}

export function reportText(report: UpgradeReport): string {
  const { phases, runs, gatewayAnswers, problems } = report;

  return [
    `from ${report.from} to ${report.to} and back, seed ${report.seed}, ${report.ratePerSecond} events a second`,
    `acknowledged ${report.acknowledged}, refused and sent again ${report.refused}, lost ${report.lost}, ` +
      `disordered ${report.disordered}, repeated ${report.repeated}`,
    `answers of the gateway: ${wordsOf(gatewayAnswers)}`,
    `runs: ${wordsOf(runs.byType)}`,
    ...phases.map(({ name, seconds, delivered, p50Ms, p99Ms }) => {
      return `${name.padEnd(11)}  ${seconds} s, ${delivered} delivered, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
    }),
    `p99 of the moves, divided by the p99 before: ${report.p99Ratio ?? 'unknown'}`,
    ...problemLines(problems),
  ].join('\n');
}
