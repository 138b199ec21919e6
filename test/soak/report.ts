import type { BrokenInvariant } from '../../db/upkeep/broken-invariants.ts';
import type { Sample } from './judge.ts';
import { wordsOf, problemLines } from '../harness/system/report-text.ts';

export interface SoakReport {
  readonly minutes: number;
  readonly samples: readonly Sample[];
  readonly profiles: readonly ProfileRow[];
  /** How often each act was done. */
  readonly acts: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly warnings: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export interface ProfileRow {
  readonly name: string;
  readonly acknowledged: number;
  readonly arrived: number;
  readonly repeated: number;
  /** Never arrived, though its receiver was up at the end. */
  readonly lost: number;
}

export interface SoakFacts extends Omit<SoakReport, 'problems'> {
  readonly broken: readonly BrokenInvariant[];
}

/** A kill may repeat what was under way: the requests of the killed worker, and a claim that was not sent yet. */
const MOST_REPEATED_BY_KILL = 100;
/** Caches fill, and a run is short beside the time after which a collector gives memory back. */
const MOST_GROWTH = 1.5;
/** Below it, growth is noise. */
const notable = { apiMb: 64, gatewayMb: 64, workerMb: 64, tablesMb: 8, indexesMb: 8, connections: 16 } as const;

export function reportOf(facts: SoakFacts): SoakReport {
  const { broken, ...report } = facts;
  return { ...report, problems: [...problemsOf(facts), ...report.samples.flatMap(problemsAt)] };
}

function problemsOf({ profiles, samples, kills, acts, broken }: SoakFacts): string[] {
  const repeated = profiles.reduce((sum, row) => sum + row.repeated, 0);
  const never = Object.entries(acts).filter(([, count]) => count === 0);
  return [
    ...profiles.filter(({ lost }) => lost > 0).map(({ name, lost }) => `${lost} events of ${name} were lost`),
    ...profiles.filter(({ acknowledged }) => acknowledged === 0).map(({ name }) => `${name} got no event`),
    ...(repeated > kills * MOST_REPEATED_BY_KILL ? [`${repeated} deliveries were repeated after ${kills} kills`] : []),
    ...never.map(([name]) => `there was no ${name}`),
    ...broken.map((one) => `rows of the ledger break an invariant: ${JSON.stringify(one)}`),
    ...grown(samples),
  ];
}

function problemsAt({ minute, problems }: Sample): string[] {
  return problems.map((problem) => `minute ${minute}: ${problem}`);
}

/** Compares the last quarter of the run with the quarter before, in which the processes are those of the upgrade. */
function grown(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) return [];
  const before = samples.slice(-2 * quarter, -quarter);
  const last = samples.slice(-quarter);
  // `Object.keys` loses the type of the table's keys.
  return (Object.keys(notable) as (keyof typeof notable)[]).flatMap((name) => {
    const first = median(before.map((one) => one[name]));
    const then = median(last.map((one) => one[name]));
    return then - first > notable[name] && then > first * MOST_GROWTH ? [`${name} grew from ${first} to ${then}`] : [];
  });
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

const columns = [
  ...(['minute', 'acknowledged', 'arrived', 'repeated', 'waiting', 'apiMb', 'gatewayMb', 'workerMb'] as const),
  ...(['tablesMb', 'indexesMb', 'connections'] as const),
];

export const sampleHeader = columns.join('  ');

export function sampleLine(sample: Sample): string {
  return columns.map((name) => String(sample[name]).padStart(name.length)).join('  ');
}

export function reportText({ minutes, samples, profiles, acts, kills, warnings, problems }: SoakReport): string {
  return [
    `${minutes} minutes, ${kills} kills`,
    ...[sampleHeader, ...samples.map(sampleLine)],
    ...profiles.map(
      ({ name, acknowledged, arrived, repeated, lost }) =>
        `${name.padEnd(9)}  acknowledged ${acknowledged}, arrived ${arrived}, repeated ${repeated}, lost ${lost}`,
    ),
    `acts: ${wordsOf(acts)}`,
    `expected warnings: ${wordsOf(warnings)}`,
    ...problemLines(problems),
  ].join('\n');
}
