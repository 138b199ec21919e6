import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { isInstallationFault } from '../../contract/deliveries/egress-errors.ts';
import { classifyFailure } from '../../egress/failure.ts';
import { createResolver } from '../../egress/resolve.ts';
import { createUnansweredNames } from '../../egress/unanswered-names.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const blameAfterMs = 10 * MINUTE_MS;

function stage() {
  const clock = { atMs: 1_000 };
  const names = createUnansweredNames({ blameAfterMs, now: () => clock.atMs });
  /** Returns the time until the name was blamed, or undefined. */
  const failFor = (totalMs: number, { everyMs = 5_000, others = true, name = 'broken.example.com' } = {}) => {
    const fromMs = clock.atMs;
    while (clock.atMs - fromMs <= totalMs) {
      if (names.failed(name)) return clock.atMs - fromMs;
      clock.atMs += everyMs;
      if (others) names.answered('fine.example.com');
    }
    return undefined;
  };
  return { clock, names, failFor };
}

test('a name that fails for ten minutes while others resolve is blamed', (t) => {
  t.is(stage().failFor(HOUR_MS), blameAfterMs);
  t.is(stage().failFor(HOUR_MS, { everyMs: 30_000 }), blameAfterMs);
});

test('time without other resolutions does not count', (t) => {
  const { failFor } = stage();
  t.is(failFor(5 * HOUR_MS, { others: false }), undefined);
  t.true(failFor(HOUR_MS)! >= blameAfterMs - 30_000);
});

test('a successful lookup resets the failures', (t) => {
  const { clock, names, failFor } = stage();
  t.is(failFor(9 * MINUTE_MS), undefined);
  names.answered('broken.example.com');
  t.is(failFor(9 * MINUTE_MS), undefined);
  names.answered('fine.example.com');
  names.answered('broken.example.com');
  clock.atMs += 1;
  t.is(failFor(HOUR_MS, { others: false }), undefined);
});

test('a blamed name is not blamed while the resolver fails', (t) => {
  const { clock, names, failFor } = stage();
  t.is(failFor(HOUR_MS), blameAfterMs);
  clock.atMs += 5_000;
  t.false(names.failed('broken.example.com'));
  clock.atMs += 5_000;
  names.answered('fine.example.com');
  t.true(names.failed('broken.example.com'));
});

test('concurrent failures of a name count once', (t) => {
  const { clock, names } = stage();
  const fromMs = clock.atMs;
  let blamedAfterMs: number | undefined;
  for (; blamedAfterMs === undefined && clock.atMs - fromMs < HOUR_MS; clock.atMs += 100) {
    if (names.failed('broken.example.com')) blamedAfterMs = clock.atMs - fromMs;
    if (clock.atMs % 20_000 === 0) names.answered('fine.example.com');
  }
  t.true(blamedAfterMs! >= blameAfterMs && blamedAfterMs! < blameAfterMs + MINUTE_MS, `${blamedAfterMs}`);
});

test('two failures far apart do not blame a name', (t) => {
  t.is(stage().failFor(HOUR_MS, { everyMs: 9 * MINUTE_MS }), undefined);
  t.is(stage().failFor(5 * HOUR_MS, { everyMs: 9 * MINUTE_MS }), 9 * 20 * MINUTE_MS);
  t.is(stage().failFor(50 * HOUR_MS, { everyMs: 11 * MINUTE_MS }), undefined);
});

test('an outage of the resolver never blames a name', (t) => {
  const step = fc.record({ isUp: fc.boolean(), everyMs: fc.integer({ min: 1, max: 120_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { clock, names } = stage();
      for (const { isUp, everyMs } of steps) {
        clock.atMs += everyMs;
        for (const name of ['a.example.com', 'b.example.com', 'c.example.com']) {
          if (isUp) names.answered(name);
          else if (names.failed(name)) return false;
        }
      }
      return true;
    }),
  );
  t.pass();
});

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** A resolver that blames immediately, with one failing name. */
async function errorOf(
  t: ExecutionContext,
  { referenceName, isDown = false }: { referenceName?: string; isDown?: boolean },
) {
  let atMs = 0;
  const asked: string[] = [];
  const { resolve } = createResolver({
    allowCidrs: [],
    lookup: (name) => {
      asked.push(name);
      const fails = isDown || name.startsWith('broken');
      return fails ? Promise.reject(failing('EAI_AGAIN')) : Promise.resolve([{ address: '192.0.43.8', family: 4 }]);
    },
    timeoutMs: 30_000,
    cacheMs: 0,
    failureCacheMs: 0,
    referenceName,
    unanswered: createUnansweredNames({ blameAfterMs: 2, now: () => (atMs += 1) }),
  });
  await t.throwsAsync(() => resolve('broken.example.com'));
  await new Promise(setImmediate); // The reference name has resolved.
  const failure = await t.throwsAsync(() => resolve('broken.example.com'));
  return { asked, ...classifyFailure(failure) };
}

test('the reference name decides the fault with a single destination', async (t) => {
  const charged = await errorOf(t, { referenceName: 'platform.example.com' });
  t.is(charged.error, 'dns_name_failed');
  t.false(isInstallationFault(charged.error));
  t.deepEqual(charged.asked.slice(0, 3), ['broken.example.com', 'platform.example.com', 'broken.example.com']);
  t.is((await errorOf(t, { referenceName: 'platform.example.com', isDown: true })).error, 'dns_failed');
  t.is((await errorOf(t, {})).error, 'dns_failed');
});
