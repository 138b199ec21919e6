import type { AttackCase, AttackClass } from '../cases/attack-case.ts';
import { say } from '../../harness/system/report-command.ts';
import type { World } from '../cases/world.ts';
import {
  type Attacker,
  type FairnessAttack,
  fairnessAttacks,
  startAttacker,
  withoutSubscriptions,
} from './fairness-attacks.ts';
import { type FairnessVictim, NotServed, pause, startVictim } from './fairness-victim.ts';

/**
 * Measures what another tenant notices of an attack. Each case measures the victim alone, starts the attack, and
 * measures the victim beside it. A case that fails is measured once more, because the machine may have been busy.
 */
export const fairness: AttackClass = {
  name: 'fairness',
  concurrency: 1,
  missing: ({ platformSecret, victimKey, mailInboxUrl, gatewayUrl, held }) =>
    [platformSecret, victimKey, mailInboxUrl, gatewayUrl, held].includes(undefined)
      ? 'there is no second tenant, gateway, mail inbox or app secret'
      : undefined,
  cases: (world) => fairnessAttacks.map((attack) => fairnessCase(world, attack)),
};

const MOST_TIMES = 2;
/** 3 ms instead of 7 ms is not noticed. A busy machine multiplies it. */
const FLOOR_MS = 300;
/** Of processor time, to measure how busy the machine is. */
const SPIN_MS = 30;
const ALONE_MS = 5_000;
const BESIDE_MS = 10_000;
/** Keeps the victim within the default rate limit of its key. */
const CYCLE_MS = 500;
const LEAD_MS = 2_000;
const TRIES = 2;
const SETTLE_DEADLINE_MS = 90_000;
const CASE_DEADLINE_MS = 10 * 60_000;

function fairnessCase(world: World, attack: FairnessAttack): AttackCase {
  return {
    name: attack.name,
    expectation: `another tenant's p99 is at most ${MOST_TIMES} times that without it, and everything is served`,
    deadlineMs: CASE_DEADLINE_MS,
    async attempt() {
      const victim = await startVictim(world);
      const attacker = await startAttacker(world);
      try {
        let problem: string | undefined;
        for (let tries = 0; tries < TRIES; tries++) {
          problem = await measureBoth({ world, attack, victim, attacker });
          if (problem === undefined) return undefined;
        }
        return problem;
      } finally {
        await attacker.stop();
        await victim.stop();
      }
    },
  };
}

interface Measuring {
  readonly world: World;
  readonly attack: FairnessAttack;
  readonly victim: FairnessVictim;
  readonly attacker: Attacker;
}

async function measureBoth({ world, attack, victim, attacker }: Measuring): Promise<string | undefined> {
  const { patience = 1 } = world;
  await settle(victim);
  const alone = await measure(victim, ALONE_MS);
  const slownessBefore = machineSlowness();
  await withoutSubscriptions(attacker);
  const end = await attack.begin(attacker);
  await pause(attack.leadMs ?? LEAD_MS);
  const beside = await measure(victim, BESIDE_MS);
  const floorMs = FLOOR_MS * patience * Math.max(slownessBefore, machineSlowness());
  const got = await end();
  say(`${attack.name}: ${numbersText({ alone, beside, attacker })}`);
  attacker.answers.clear();
  const slow = Object.entries(beside.p99).flatMap(([name, ms]) => {
    const aloneMs = alone.p99[name] ?? 0;
    const isSlow = ms > MOST_TIMES * aloneMs && ms > aloneMs + floorMs;
    return isSlow ? [`${name} takes ${Math.round(ms)} ms instead of ${Math.round(aloneMs)} ms`] : [];
  });
  const problems = [...(got === undefined ? [] : [got]), ...beside.problems, ...slow];
  return problems.length === 0 ? undefined : `${problems.join('. ')}.`;
}

/** How many times longer than its processor time a computation takes: 1 on an idle machine. */
function machineSlowness(): number {
  const beganAtMs = performance.now();
  const begun = process.cpuUsage();
  let usedMs = 0;
  while (usedMs < SPIN_MS) {
    const { user, system } = process.cpuUsage(begun);
    usedMs = (user + system) / 1_000;
  }
  return Math.max(1, (performance.now() - beganAtMs) / usedMs);
}

interface Numbers {
  readonly alone: Measured;
  readonly beside: Measured;
  readonly attacker: Attacker;
}

/** The victim's p99 without and with the attack, and what the attacker was answered. */
function numbersText({ alone, beside, attacker }: Numbers): string {
  const acts = Object.keys(beside.p99).map(
    (act) => `${act} ${Math.round(alone.p99[act] ?? 0)} → ${Math.round(beside.p99[act] ?? 0)} ms`,
  );
  const answers = [...attacker.answers].map(([status, count]) => `${status} × ${count}`);
  return `${acts.join(', ')}. The attacker got ${answers.join(', ')}.`;
}

interface Measured {
  readonly p99: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Repeats all acts at the same time, each once per cycle. */
async function measure({ acts }: FairnessVictim, forMs: number): Promise<Measured> {
  const untilMs = performance.now() + forMs;
  const problems: string[] = [];
  const measured = Object.entries(acts).map(async ([name, act]) => {
    const durations: number[] = [];
    while (performance.now() < untilMs) {
      const cycle = pause(CYCLE_MS);
      try {
        durations.push(await act());
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        if (!(error instanceof NotServed)) break;
      }
      await cycle;
    }
    durations.sort((one, other) => one - other);
    return [name, durations[Math.ceil(durations.length * 0.99) - 1] ?? 0] as const;
  });
  return { p99: Object.fromEntries(await Promise.all(measured)), problems };
}

/** Waits for the end of what a previous attack has left. */
async function settle(victim: FairnessVictim): Promise<void> {
  const untilMs = performance.now() + SETTLE_DEADLINE_MS;
  let last = Number.POSITIVE_INFINITY;
  while (performance.now() < untilMs) {
    const { p99, problems } = await measure(victim, 1);
    const now = Math.max(...Object.values(p99));
    if (problems.length === 0 && now < 1_000 && now < 2 * last) return;
    last = now;
    await pause(CYCLE_MS);
  }
}
