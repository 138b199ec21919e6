import test from 'ava';
import { latenessTone, shardsTone, workersTone } from '../../../dashboard/pages/staff/status-tones.ts';

const worker = { holder: 'host/1', roles: ['pump' as const], shardCount: 256, seenSeconds: 1, isLive: true };
const dead = { ...worker, holder: 'host/2', shardCount: 0, seenSeconds: 80, isLive: false };
const served = { unservedCount: 0, unservedSeconds: 0 };

test('unserved shards are a warning only within a lease', (t) => {
  t.is(shardsTone(served), 'good');
  t.is(shardsTone({ unservedCount: 256, unservedSeconds: 2.9 }), 'warn');
  t.is(shardsTone({ unservedCount: 256, unservedSeconds: 4.6 }), 'bad');
});

test('a dead worker is bad only while shards are unserved', (t) => {
  t.is(workersTone({ workers: [worker], shards: served }), 'good');
  t.is(workersTone({ workers: [worker, dead], shards: served }), 'warn');
  t.is(workersTone({ workers: [worker, dead], shards: { unservedCount: 128, unservedSeconds: 1 } }), 'bad');
  t.is(workersTone({ workers: [dead], shards: served }), 'bad');
  t.is(workersTone({ workers: [], shards: served }), 'bad');
});

test('a late delivery is a warning first and then bad', (t) => {
  t.deepEqual([4, 7.4, 119, 120].map(latenessTone), ['good', 'warn', 'warn', 'bad']);
});
