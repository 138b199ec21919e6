import test from 'ava';
import { createPermit, type Permit } from '../../egress/permit.ts';
import { eventually } from '../harness/eventually.ts';
import { holdingServer } from './holding-server.ts';
import { loopbackEgress, post } from './test-server.ts';

test('the clock of a request starts when it gets a connection', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1 });
  const timeoutMs = 200;

  const first = egress.send(post(receiver.urlOf('/first')));
  const second = egress.send(post(receiver.urlOf('/second'), { timeoutMs }));
  await eventually(() => egress.stats().oldestWaitMs > 2 * timeoutMs);
  t.is(egress.stats().waiting, 1);
  const answeredAtMs = Date.now();
  await receiver.answer('/first');
  t.like(await first, { outcome: 'answered' });

  const result = await second;
  if (result.outcome !== 'no_response') return t.fail(result.outcome);
  t.true(result.startedAtMs >= answeredAtMs, 'the wait is not part of the attempt');
});

test('a request that waits beyond its limit is not sent', async (t) => {
  const receiver = await holdingServer(t);
  const reasons: string[] = [];
  const meter = { waited: () => {}, notSent: (reason: string) => reasons.push(reason) };
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1, meter });

  const first = egress.send(post(receiver.urlOf('/first')));
  const waiting = Array.from({ length: 20 }, () => egress.send(post(receiver.urlOf('/late'), { maxWaitMs: 20 })));

  for (const result of await Promise.all(waiting))
    t.deepEqual(result, { outcome: 'not_sent', reason: 'waited_too_long' });
  t.deepEqual(reasons, Array<string>(20).fill('waited_too_long'));
  t.like(egress.stats(), { inUse: 1, waiting: 0, oldestWaitMs: 0 });
  receiver.letGo();
  t.like(await first, { outcome: 'answered' });
  t.deepEqual(receiver.arrived, ['/first']);
});

test('a sender can abort a request that waits', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1 });
  const aborter = new AbortController();

  const first = egress.send(post(receiver.urlOf('/first')));
  const aborted = egress.send(post(receiver.urlOf('/aborted'), { signal: aborter.signal }));
  const last = egress.send(post(receiver.urlOf('/last'), { signal: new AbortController().signal }));
  aborter.abort();

  t.deepEqual(await aborted, { outcome: 'not_sent', reason: 'aborted' });
  receiver.letGo();
  for (const sent of [first, last]) t.like(await sent, { outcome: 'answered' });
  t.deepEqual(receiver.arrived, ['/first', '/last']);
});

test('withdrawing a permit drops only the requests that wait', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1 });
  const permit = createPermit(() => true);

  const underWay = egress.send(post(receiver.urlOf('/under-way'), { permit }));
  await eventually(() => receiver.heldCount() === 1);
  const waiting = [1, 2, 3].map((n) => egress.send(post(receiver.urlOf(`/${n}`), { permit })));
  permit.withdraw();

  for (const sent of waiting) t.deepEqual(await sent, { outcome: 'not_sent', reason: 'withdrawn' });
  t.deepEqual(await egress.send(post(receiver.urlOf('/late'), { permit })), {
    outcome: 'not_sent',
    reason: 'withdrawn',
  });
  receiver.letGo();
  t.like(await underWay, { outcome: 'answered' });
  t.deepEqual(receiver.arrived, ['/under-way']);
});

test('a request whose permit expired while it waited is not sent', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnectionsPerGroup: 1 });
  let isLeased = true;
  const permit = createPermit(() => isLeased);

  const first = egress.send(post(receiver.urlOf('/first'), { permit }));
  await eventually(() => receiver.heldCount() === 1);
  const waiting = [1, 2, 3].map((n) => egress.send(post(receiver.urlOf(`/${n}`), { permit })));
  const other = egress.send(post(receiver.urlOf('/other')));
  isLeased = false;
  receiver.letGo();

  t.like(await first, { outcome: 'answered' });
  for (const sent of waiting) t.deepEqual(await sent, { outcome: 'not_sent', reason: 'withdrawn' });
  t.like(await other, { outcome: 'answered' });
  t.deepEqual(receiver.arrived, ['/first', '/other']);
});

test('a request whose lease lapses while it connects is not sent', async (t) => {
  const receiver = await holdingServer(t);
  receiver.letGo();
  const url = new URL(receiver.urlOf('/'));
  url.hostname = 'receiver.example.com';
  let isLeased = true;
  const permit = createPermit(() => isLeased);
  const lookup = async () => {
    isLeased = false;
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const egress = loopbackEgress(t, { lookup });
  const send = (path: string, permit?: Permit) => egress.send(post(new URL(path, url).href, { permit }));

  t.deepEqual(await send('/late', permit), { outcome: 'not_sent', reason: 'withdrawn' });
  t.like(await send('/next'), { outcome: 'answered' });
  t.deepEqual(receiver.arrived, ['/next']);
  t.like(egress.stats(), { inUse: 0, waiting: 0 });
});

test('a sender without a lease charges no failed connection', async (t) => {
  let isLeased = true;
  const lookup = () => {
    isLeased = false;
    return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  };
  const egress = loopbackEgress(t, { lookup });
  const permit = createPermit(() => isLeased);

  const result = await egress.send(post('http://receiver.example.com/', { permit }));
  t.deepEqual(result, { outcome: 'not_sent', reason: 'withdrawn' });
});

test('the number of waiting requests is bounded by workspace and process', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnections: 1, maxWaiting: 8 });
  const send = (workspaceId: string) => egress.send(post(receiver.urlOf('/'), { workspaceId }));

  const sent = ['a', 'a', 'a'].map(send);
  t.deepEqual(await send('a'), { outcome: 'not_sent', reason: 'queue_full' });
  sent.push(...['b', 'b', 'c', 'c', 'd', 'd'].map(send));
  t.deepEqual(await send('e'), { outcome: 'not_sent', reason: 'queue_full' });

  receiver.letGo();
  for (const result of await Promise.all(sent)) t.is(result.outcome, 'answered');
  t.like(egress.stats(), { inUse: 0, waiting: 0 });
});

test('the bodies of waiting requests are bounded', async (t) => {
  const receiver = await holdingServer(t);
  const egress = loopbackEgress(t, { maxConnections: 1, maxWaitingBytes: 400 });
  const send = () => egress.send(post(receiver.urlOf('/'), { body: Buffer.alloc(60) }));

  const sent = [send(), send()];
  t.deepEqual(await send(), { outcome: 'not_sent', reason: 'queue_full' });

  receiver.letGo();
  for (const result of await Promise.all(sent)) t.is(result.outcome, 'answered');
});

test('a resolver slower than the deadline is not charged to the receiver', async (t) => {
  const egress = loopbackEgress(t, { timeoutMs: 400, lookup: () => new Promise(() => {}) });

  t.like(await egress.send(post('http://slow-name.example.com/')), { outcome: 'no_response', error: 'dns_timeout' });
});
