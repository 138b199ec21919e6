import { tableText } from '../../harness/system/report-text.ts';
export interface AttackReport {
  readonly seed: number;
  readonly rows: readonly ClassRow[];
  readonly seconds: number;
}

export interface ClassRow {
  readonly name: string;
  readonly tried: number;
  readonly refused: number;
  readonly letThrough: readonly LetThrough[];
  /** Undefined if the class ran. */
  readonly notRun: string | undefined;
  readonly seconds: number;
}

export interface LetThrough {
  readonly name: string;
  readonly expectation: string;
  readonly what: string;
  /** A shell command that runs only this case. */
  readonly reproduction: string;
}

/** Limits the cases shown, so that one broken class doesn't hide the others. */
const SHOWN_PER_CLASS = 20;
const MAX_WHAT_LENGTH = 300;

export function letThroughCount({ rows }: AttackReport): number {
  return rows.reduce((sum, { letThrough }) => sum + letThrough.length, 0);
}

export function reportText(report: AttackReport): string {
  const { rows, seed, seconds } = report;
  const sum = (count: (row: ClassRow) => number): string => String(rows.reduce((total, row) => total + count(row), 0));
  const lines = rows.map((row) => {
    const counts = [row.tried, row.refused, row.letThrough.length].map(String);
    return [row.name, ...counts, `${row.seconds} s`, row.notRun === undefined ? '' : `not run: ${row.notRun}`];
  });
  const total = [
    'all',
    sum(({ tried }) => tried),
    sum(({ refused }) => refused),
    sum(({ letThrough }) => letThrough.length),
    `${seconds} s`,
    '',
  ];
  return [
    `seed ${seed}`,
    tableText([['class', 'tried', 'refused', 'let through', 'time', ''], ...lines, total]),
    ...rows.flatMap(shownCases),
    letThroughCount(report) === 0 ? 'Nothing was let through.' : `LET THROUGH: ${letThroughCount(report)}`,
  ].join('\n\n');
}

function shownCases({ name, letThrough }: ClassRow): string[] {
  const shown = letThrough.slice(0, SHOWN_PER_CLASS).map(({ what, ...one }) => {
    const short = what.length > MAX_WHAT_LENGTH ? `${what.slice(0, MAX_WHAT_LENGTH)}…` : what;
    return `LET THROUGH ${name}: ${one.name}\n  expected: ${one.expectation}\n  happened: ${short}\n  again:    ${one.reproduction}`;
  });
  const more = letThrough.length - shown.length;
  return more > 0 ? [...shown, `LET THROUGH ${name}: ${more} more, see the JSON below`] : shown;
}
