import test from 'ava';
import {
  createPumpActivities,
  createPumpViews,
  type PumpActivityDeps,
} from '../../../activities/pump/pump-activities.ts';

const standing = {
  destinationCount: 7,
  oldestWaitSeconds: 3,
  troubledCount: 1,
  troubled: [{ channelId: 'ch_00000001', destination: 'webhook' }],
};

function stage(others: Partial<PumpActivityDeps> = {}) {
  const views = createPumpViews();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let settledCount = 0;
  const pump = {
    shards: () => [7, 2, 0, 1, 5, 6],
    counts: () => ({ settledCount: (settledCount += 1_000), promotedCount: 2, heldCount: 4 }),
    stopped,
  };
  const readStanding = () => Promise.resolve(standing);
  const { watchPump } = createPumpActivities({ pump, views, readStanding, stopping: stopping.signal, ...others });
  return { watchPump, views, stop, stopping };
}

test('a view reports the pump and what the ledger knows', async (t) => {
  const read: (readonly number[])[] = [];
  const { watchPump, views } = stage({ readStanding: async (shards) => (read.push(shards), standing) });
  const viewed = watchPump({ viewMs: 100 });
  t.true(views.isShown());
  const { settledPerSecond, ...report } = await viewed;
  t.false(views.isShown());
  t.deepEqual(report, { isServing: true, shards: '0–2, 5–7', promotedCount: 2, heldCount: 4, ...standing });
  // A busy machine may end the view late.
  t.true(settledPerSecond > 0 && settledPerSecond < 11_000, `${settledPerSecond}`);
  t.is(settledPerSecond, Math.round(settledPerSecond * 10) / 10);
  t.deepEqual(read, [[7, 2, 0, 1, 5, 6]]);
});

test('a view ends with the pump and with the worker', async (t) => {
  for (const end of ['pump', 'worker']) {
    const { watchPump, views, stop, stopping } = stage();
    const long = [watchPump({ viewMs: 3_600_000 }), watchPump({ viewMs: 3_600_000 })];
    t.true(views.isShown());
    if (end === 'pump') stop();
    else stopping.abort();
    for (const viewed of long) t.false((await viewed).isServing, end);
    t.false(views.isShown());
    t.false((await watchPump({ viewMs: 3_600_000 })).isServing, `${end}: a view that begins later`);
  }
});

test('a view without a database reports the last known state', async (t) => {
  let isAway = false;
  const readStanding = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(standing));
  const { watchPump } = stage({ readStanding });
  await watchPump({ viewMs: 1 });
  isAway = true;
  t.like(await watchPump({ viewMs: 1 }), { isServing: true, ...standing });
});
