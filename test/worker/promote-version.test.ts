import test from 'ava';
import { nextRoundMs, standingOf } from '../../worker/promote-version.ts';
import type { WorkerDeployment } from '../../workflow-starts/worker-deployments.ts';

/** Build a appeared at 10, b at 20 and c at 30. */
const versions = ['a', 'b', 'c'].map((buildId, index) => ({
  buildId,
  status: 'inactive' as const,
  createdAtMs: (index + 1) * 10,
  deactivatedAtMs: null,
}));

function standing(own: string, live: string, others: Partial<WorkerDeployment> = {}) {
  const routing = { currentBuildId: null, ramping: null, changedAtMs: 0, changedBy: 'automatic promotion' };
  const deployment = { ...routing, versions, conflictToken: new Uint8Array(), ...others };
  return standingOf({ buildId: own, deployment, isLive: (build) => live.includes(build) });
}

test('the newest build with a live worker is due', (t) => {
  t.is(standing('a', 'a'), 'due');
  t.is(standing('b', 'ab', { currentBuildId: 'a', changedAtMs: 15 }), 'due');
  t.is(standing('a', 'ab', { currentBuildId: 'b', changedAtMs: 25 }), 'older');
  t.is(standing('a', 'ab', { currentBuildId: null }), 'older');
  t.is(standing('b', 'b', { currentBuildId: 'b' }), 'current');
});

test('an older build returns when no newer one is live', (t) => {
  t.is(standing('a', 'a', { currentBuildId: 'b', changedAtMs: 25 }), 'returning');
  t.is(standing('a', 'ac', { currentBuildId: 'b', changedAtMs: 25 }), 'older');
});

test('a build that the server does not know is registering', (t) => {
  t.is(standing('d', 'd'), 'registering');
  t.is(standingOf({ buildId: 'a', deployment: undefined, isLive: () => true }), 'registering');
});

test('a served choice of an operator defers earlier builds', (t) => {
  const byHand = { changedBy: 'operator', changedAtMs: 25 };
  t.is(standing('b', 'ab', { ...byHand, currentBuildId: 'a' }), 'chosen');
  t.is(standing('b', 'b', { ...byHand, currentBuildId: 'a' }), 'returning', 'no worker of the chosen build is left');
  t.is(standing('b', 'b', { ...byHand, currentBuildId: null }), 'chosen', 'unversioned workers serve');
  t.is(standing('c', 'ac', { ...byHand, currentBuildId: 'a' }), 'due', 'the build appeared later');
  t.is(standing('b', 'ab', { ...byHand, currentBuildId: 'a', ramping: { buildId: 'b', percentage: 5 } }), 'chosen');
});

test('a failed round is repeated soon, later less often', (t) => {
  const waits = [1, 2, 3, 5, 6, 100].map((failures) => nextRoundMs(undefined, failures));
  const bounds = [200, 400, 800, 3_200, 5_000, 5_000];
  for (const [index, bound] of bounds.entries()) {
    t.true(waits[index]! >= bound * 0.8 && waits[index]! <= bound * 1.2, `${waits[index]} after ${index + 1}`);
  }
  t.is(nextRoundMs('registering', 0), 200);
  t.true(nextRoundMs('current', 0) >= 4_000);
});
