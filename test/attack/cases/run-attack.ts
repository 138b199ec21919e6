import { randomFrom } from '../../harness/random.ts';
import { type AttackCase, type AttackClass, CASE_DEADLINE_MS } from './attack-case.ts';
import { call } from './http-call.ts';
import type { AttackReport, ClassRow, LetThrough } from './report.ts';
import { beginWatching } from './with-health-watched.ts';
import type { World } from './world.ts';

export interface AttackOptions {
  readonly world: World;
  readonly classes: readonly AttackClass[];
  readonly seed: number;
  /** Optional. Drawn by the seed. Default: all. */
  readonly casesPerClass?: number | undefined;
  /** Optional. Filters cases by name. */
  readonly only?: string | undefined;
  /** Optional. Classes do not start after this time. */
  readonly deadlineMs?: number;
  readonly say: (text: string) => void;
}

const HEALTH_DEADLINE_MS = 15_000;

export async function runAttack(options: AttackOptions): Promise<AttackReport> {
  const endWatching = beginWatching();
  try {
    return await runClasses(options);
  } finally {
    await endWatching();
  }
}

async function runClasses(options: AttackOptions): Promise<AttackReport> {
  const { world, classes, seed, say, deadlineMs = Number.POSITIVE_INFINITY } = options;
  const beganAtMs = performance.now();
  const rows: ClassRow[] = [];
  for (const one of classes) {
    const isLate = performance.now() - beganAtMs > deadlineMs;
    const missing = isLate ? 'the time for the run was over' : one.missing?.(world);
    if (missing !== undefined) {
      say(`${one.name}: not run, ${missing}.`);
      rows.push({ name: one.name, tried: 0, refused: 0, letThrough: [], notRun: missing, seconds: 0 });
      continue;
    }
    const row = await runClass(one, options);
    say(`${one.name}: ${row.tried} tried, ${row.letThrough.length} let through, ${row.seconds} s.`);
    rows.push(row);
  }
  return { seed, rows, seconds: secondsSince(beganAtMs) };
}

async function runClass(one: AttackClass, { world, seed, casesPerClass, only }: AttackOptions): Promise<ClassRow> {
  const beganAtMs = performance.now();
  const all = (await one.cases(world)).filter(({ name }) => only === undefined || name.includes(only));
  const isDrawn = casesPerClass !== undefined && all.length > casesPerClass;
  const chosen = isDrawn ? randomFrom(seed).shuffled(all).slice(0, casesPerClass) : all;
  const letThrough: LetThrough[] = [];
  const waiting = chosen.values();
  const work = async (): Promise<void> => {
    for (const each of waiting) {
      const what = await tryCase(each, world);
      if (what !== undefined) letThrough.push({ ...described(one, each, seed), what });
    }
  };
  await Promise.all(Array.from({ length: one.concurrency }, work));
  const dead = await unanswered(world);
  if (dead !== undefined) {
    const after = { name: 'the service after the class', expectation: 'it answers /healthz' };
    letThrough.push({ ...described(one, after, seed), what: dead });
  }
  const { length: tried } = chosen;
  const refused = Math.max(0, tried - letThrough.length);
  return { name: one.name, tried, refused, letThrough, notRun: undefined, seconds: secondsSince(beganAtMs) };
}

/** An attempt that throws or hangs means that the service stopped or broke the connection. */
async function tryCase(one: AttackCase, { patience = 1 }: World): Promise<string | undefined> {
  const deadlineMs = (one.deadlineMs ?? CASE_DEADLINE_MS) * patience;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`There was no outcome within ${deadlineMs / 1_000} s.`), deadlineMs);
  });
  const outcome = one.attempt().catch((error: unknown) => `There was no answer: ${describe(error)}`);
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}

async function unanswered(world: World): Promise<string | undefined> {
  const { baseUrl, gatewayUrl } = world;
  for (const url of [baseUrl, ...(gatewayUrl === undefined ? [] : [gatewayUrl])]) {
    const attempt = async (): Promise<string | undefined> => {
      const { status } = await call(url, 'GET /healthz');
      return status === 200 ? undefined : `${url}/healthz answers ${status}.`;
    };
    const what = await tryCase({ name: url, expectation: '', attempt, deadlineMs: HEALTH_DEADLINE_MS }, world);
    if (what !== undefined) return what;
  }
  return undefined;
}

function described(one: AttackClass, { name, expectation }: Omit<AttackCase, 'attempt'>, seed: number) {
  const quoted = `'${name.replaceAll("'", String.raw`'\''`)}'`;
  return { name, expectation, reproduction: `npm run attack -- --class ${one.name} --seed ${seed} --only ${quoted}` };
}

function secondsSince(beganAtMs: number): number {
  return Math.round((performance.now() - beganAtMs) / 100) / 10;
}
