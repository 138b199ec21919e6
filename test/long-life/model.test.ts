import test from 'ava';
import { type Random, randomFrom } from '../harness/random.ts';
import { type Behavior, longLifeStage } from './long-life-stage.ts';

const STEPS = 150;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** From a millisecond to two months, each order of magnitude as often as another. */
const anyTimeMs = (random: Random): number => Math.round(Math.exp(random.between(0, Math.log(60 * DAY_MS))));

function anyBehavior(random: Random): Behavior {
  const kinds: readonly Behavior[] = [
    { kind: 'accepts' },
    { kind: 'refuses' },
    { kind: 'flaky', every: 1 + Math.ceil(random.between(0, 6)) },
    { kind: 'pauses', seconds: Math.ceil(random.between(0, 7_200)) },
  ];
  return kinds[Math.floor(random.between(0, kinds.length))]!;
}

for (const seed of [3, 8]) {
  test.serial(`random events and jumps of time break no promise, seed ${seed}`, async (t) => {
    const random = randomFrom(seed);
    const stage = await longLifeStage(t);
    const said: string[] = [];
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      accept: () =>
        stage.accept(Array.from({ length: Math.ceil(random.between(0, 8)) }, () => Math.floor(random.between(1, 4)))),
      behave: async () => stage.behave(Math.floor(random.between(0, 4)), anyBehavior(random)),
      next: () => stage.jumpToNext(30 * MINUTE_MS),
      jump: () => stage.jump(anyTimeMs(random)),
      retain: () => stage.retain(),
    };
    const names = ['accept', 'accept', 'accept', 'behave', 'next', 'next', 'next', 'next', 'jump', 'retain'] as const;
    try {
      for (let step = 0; step < STEPS; step++) {
        const name = names[Math.floor(random.between(0, names.length))]!;
        said.push(name);
        await acts[name]!();
        await stage.untilQuiet();
        await stage.check();
      }
    } catch (error) {
      t.log(said.join(' '));
      throw error;
    }
    t.pass();
  });
}
