import { measure, type Measured } from './figures.ts';

/** Processor seconds by process. */
export type CpuSeconds = Readonly<Record<string, number>>;

const serviceParts = ['api', 'worker', 'postgres', 'temporal', 'rest'] as const;
type ServicePart = (typeof serviceParts)[number];
const farParts = ['publisher', 'sink'] as const;
/** The processes that no system is charged for. */
const farSide: ReadonlySet<string> = new Set(farParts);

export const CPU = 'processor seconds for 1,000 events';
export const IDLE = 'processor seconds a minute without any event';

export interface Cost {
  /** Of the system under test, without publisher and sink. */
  readonly total: number;
  readonly byPart: Readonly<Record<string, number>>;
}

/** Of the system under test, without publisher and sink. */
export function serviceSeconds(seconds: CpuSeconds): number {
  return Object.entries(seconds).reduce((sum, [name, one]) => (farSide.has(name) ? sum : sum + one), 0);
}

/** Returns what `count` events cost, for 1,000. `worker-1` and `worker-2` are one part. */
export function costOf(before: CpuSeconds, after: CpuSeconds, count: number): Cost {
  const byPart: Record<string, number> = {};
  let total = 0;
  for (const [name, seconds] of Object.entries(after)) {
    const used = ((seconds - (before[name] ?? 0)) / count) * 1000;
    const part = partOf(name);
    byPart[part] = (byPart[part] ?? 0) + used;
    if (!farSide.has(name)) total += used;
  }
  return { total, byPart };
}

/** The floor's own processes are measured apart, so the service's figures do not contain them. */
function partOf(name: string): string {
  const [part = name] = name.split('-');
  return farSide.has(part) || serviceParts.includes(part as ServicePart) ? part : 'rest';
}

export function costFigures(cost: Cost, at: (name: string) => string): Measured[] {
  return [measure(at(CPU), [cost.total, 's']), ...partFigures(cost, at)];
}

export function partFigures({ byPart }: Cost, at: (name: string) => string): Measured[] {
  const parts = [...serviceParts, ...farParts];
  return parts.map((part) => measure(at(`  of these ${part}`), [byPart[part] ?? 0, 's']));
}
