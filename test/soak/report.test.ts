import test from 'ava';
import type { Sample } from './judge.ts';
import { reportOf, type SoakFacts } from './report.ts';
import { SoakLog } from './soak-log.ts';

const sample: Sample = {
  minute: 1,
  acknowledged: 10,
  arrived: 10,
  repeated: 0,
  waiting: 0,
  apiMb: 100,
  gatewayMb: 80,
  workerMb: 150,
  tablesMb: 40,
  indexesMb: 20,
  connections: 30,
  problems: [],
};
const good: SoakFacts = {
  minutes: 8,
  kills: 1,
  broken: [],
  warnings: {},
  samples: Array.from({ length: 8 }, () => sample),
  profiles: [{ name: 'steady', acknowledged: 10, arrived: 10, repeated: 2, lost: 0 }],
  acts: { 'published container': 3 },
};
const problemsOf = (facts: Partial<SoakFacts>) => reportOf({ ...good, ...facts }).problems;

test('a soak without a problem is good', (t) => {
  t.deepEqual(problemsOf({}), []);
});

test('a soak names what was lost, repeated or never done', (t) => {
  const profiles = [{ name: 'steady', acknowledged: 10, arrived: 9, repeated: 500, lost: 1 }];
  t.deepEqual(problemsOf({ profiles, acts: { replay: 0 } }), [
    '1 events of steady were lost',
    '500 deliveries were repeated after 1 kills',
    'there was no replay',
  ]);
});

test('a soak names what grew in its last quarter', (t) => {
  const samples = good.samples.map((each, index) => (index < 6 ? each : { ...each, workerMb: 300 }));
  t.deepEqual(problemsOf({ samples }), ['workerMb grew from 150 to 300']);
  const leaking = good.samples.map((each, index) => (index < 6 ? each : { ...each, connections: 50, tablesMb: 41 }));
  t.deepEqual(problemsOf({ samples: leaking }), ['connections grew from 30 to 50']);
});

test('a soak shows problems with their minute', (t) => {
  t.deepEqual(problemsOf({ samples: [{ ...sample, problems: ['it waits'] }] }), ['minute 1: it waits']);
});

test('a soak log keeps errors, unknown warnings and unreadable lines', (t) => {
  const log = new SoakLog();
  log.add('api 1 | {"level":30,"msg":"request.served"}');
  log.add('worker 1 | {"level":40,"msg":"connection.lost"}');
  t.deepEqual(log.takeUnexpected(), []);
  t.deepEqual([...log.counts], [['connection.lost', 1]]);
  log.add('worker 1 | {"level":40,"msg":"moon.risen"}');
  log.add('worker 1 | {"level":40,"msg":"moon.risen"}');
  log.add('worker 1 | {"level":50,"msg":"connection.lost"}');
  log.add('worker 1 | Segmentation fault');
  t.deepEqual(log.takeUnexpected(), [
    '2 times, worker 1: {"level":40,"msg":"moon.risen"}',
    'worker 1: {"level":50,"msg":"connection.lost"}',
    'worker 1: Segmentation fault',
  ]);
  t.deepEqual(log.takeUnexpected(), []);
});
