import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Statement } from '../system/statements.ts';
import type { WalPart } from '../system/wal.ts';

/** Statements beyond these take little. */
const STATEMENTS = 6;
const FUNCTIONS = 12;
const WAL_PARTS = 40;
const US_PER_MS = 1000;
const BYTES_PER_KB = 1024;

/** Returns the split of PostgreSQL's work for 1,000 events, or nothing without `BENCH_SPLIT`. */
export function describeStatements(
  statements: readonly Statement[] | undefined,
  { eventCount, at }: { eventCount: number; at: string },
): string[] {
  if (!statements) return [];
  const per = (value: number): string => ((value / eventCount) * 1000).toFixed(1);
  const head = `PostgreSQL for 1,000 events, ${at}: calls, ms, rows, KB of WAL, buffers`;
  const lines = statements.slice(0, STATEMENTS).map(({ calls, executionMs, rows, walBytes, buffers, text }) => {
    const figures = [calls, executionMs, rows, walBytes / BYTES_PER_KB, buffers].map(per);
    return `  ${figures.map((figure) => figure.padStart(9)).join(' ')}  ${text}`;
  });
  const sum = (of: (statement: Statement) => number): number => statements.reduce((total, one) => total + of(one), 0);
  const total = [sum(({ calls }) => calls), sum(({ executionMs }) => executionMs)].map(per);
  const wal = per(sum(({ walBytes }) => walBytes) / BYTES_PER_KB);
  return [head, ...lines, `  all statements: ${total[0]} calls, ${total[1]} ms, ${wal} KB of WAL`];
}

/** Returns the bytes of the WAL for an event by relation and kind of record, or nothing without `BENCH_SPLIT`. */
export function describeWal(parts: readonly WalPart[] | undefined, eventCount: number): string[] {
  if (!parts) return [];
  const per = (value: number): string => (value / eventCount).toFixed(1).padStart(8);
  const lines = parts
    .slice(0, WAL_PARTS)
    .map(({ relation, record, records, bytes, pageBytes }) =>
      [...[bytes, pageBytes].map(per), (records / eventCount).toFixed(2).padStart(6), relation, record].join('  '),
    );
  const sum = (of: (part: WalPart) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const total = `${per(sum(({ bytes }) => bytes))}  ${per(sum(({ pageBytes }) => pageBytes))}  in all`;
  return ['WAL for an event: bytes without whole pages, bytes of whole pages, records', ...lines, total];
}

interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
}

/** Returns each process's own time by package or layer, from the profiles of `BENCH_PROFILE`. */
export function describeProfiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .flatMap((name) => [name, ...topOf(JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)]);
}

function topOf({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const placeById = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const usByPlace = new Map<string, number>();
  let busyUs = 0;
  samples.forEach((id, index) => {
    const place = placeById.get(id) ?? '';
    if (place === '(idle)') return;
    busyUs += timeDeltas[index]!;
    usByPlace.set(place, (usByPlace.get(place) ?? 0) + timeDeltas[index]!);
  });
  const top = [...usByPlace].sort(([, one], [, other]) => other - one).slice(0, FUNCTIONS);
  const lines = top.map(([place, us]) => `  ${((us / busyUs) * 100).toFixed(1).padStart(5)} %  ${place}`);
  return [`  busy ${Math.round(busyUs / US_PER_MS)} ms`, ...lines];
}

function placeOf({ functionName, url }: ProfileNode['callFrame']): string {
  if (functionName.startsWith('(')) return functionName;
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (inPackage) return inPackage;
  if (url.startsWith('node:')) return url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1');
  const own = /\/([^/]+\/[^/]+\/[^/]+\.ts)$/.exec(url)?.[1];
  return own ?? (url || `native ${functionName}`);
}
