import test from 'ava';
import { createChangeFeeds } from '../../../api/deliveries/change-feeds.ts';
import type { ChangedDelivery, ChangePage, ChangePosition } from '../../../db/deliveries/changes.ts';
import type { DeliveryRecord } from '../../../db/deliveries/records.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { streamStage } from '../../harness/api/stream-stage.ts';
import { aChannel } from '../../harness/tenants.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';

const signal = new AbortController().signal;
const longWait = { timeoutMs: 60_000, signal };
const at = (xid: number, id = 0): ChangePosition => ({ xid: BigInt(xid), id });
const change = (xid: number): ChangedDelivery => ({ position: at(xid, 1), delivery: { id: xid } as DeliveryRecord });
const pageOf = (xids: readonly number[], next: number): ChangePage => ({
  changes: xids.map(change),
  isFull: false,
  next: at(next),
});

/** Answers each read when the test says so. */
function heldReads() {
  const reads: { readonly after: ChangePosition; readonly answer: PromiseWithResolvers<ChangePage> }[] = [];
  const log = rememberingLog();
  const feeds = createChangeFeeds({
    read: ({ after }) => {
      const answer = Promise.withResolvers<ChangePage>();
      reads.push({ after, answer });
      return answer.promise;
    },
    log,
    times: { pollMs: 1, heartbeatMs: 1_000 },
  });
  const answer = async (page: ChangePage): Promise<void> => {
    const count = reads.length;
    reads.at(-1)!.answer.resolve(page);
    await eventually(() => reads.length > count);
  };
  return { feeds, reads, log, answer };
}

const xidsOf = (page: ChangePage | undefined): number[] | undefined =>
  page?.changes.map(({ position }) => Number(position.xid));

test('all streams of a workspace share one read', async (t) => {
  const { feeds, reads, answer } = heldReads();
  const streams = Array.from({ length: 50 }, () => feeds.subscribe({ workspaceId: 1, horizon: 10n }));
  t.is(reads.length, 1);
  t.deepEqual(reads[0]!.after, at(10));
  const woken = Promise.all(streams.map((stream) => stream.waitBeyond(at(10), longWait)));
  await answer(pageOf([10, 12], 20));
  await woken;
  for (const stream of streams) t.deepEqual(xidsOf(stream.after(at(10), 100)), [10, 12]);
  t.is(reads.length, 2);
  t.deepEqual(reads[1]!.after, at(20));
  feeds.subscribe({ workspaceId: 2, horizon: 20n });
  t.is(reads.length, 3);
});

test('a stream takes its changes in pages and in order', async (t) => {
  const { feeds, answer } = heldReads();
  const stream = feeds.subscribe({ workspaceId: 1, horizon: 10n });
  t.like(stream.after(at(10), 2), { changes: [], isFull: false, next: at(10) });
  await answer(pageOf([11, 12, 13], 20));
  const first = stream.after(at(10), 2);
  t.deepEqual([xidsOf(first), first?.isFull, first?.next], [[11, 12], true, at(12, 1)]);
  const second = stream.after(first!.next, 2);
  t.deepEqual([xidsOf(second), second?.isFull, second?.next], [[13], false, at(20)]);
  t.deepEqual(stream.after(at(30), 2)?.next, at(30), 'ahead of the feed');
});

test('a stream behind the feed reads on its own', async (t) => {
  const { feeds, answer } = heldReads();
  const slow = feeds.subscribe({ workspaceId: 1, horizon: 10n });
  t.is(slow.after(at(9), 100), undefined, 'from before the feed');
  slow.after(at(10), 100);
  await answer(
    pageOf(
      Array.from({ length: 150 }, (_, index) => 11 + index),
      200,
    ),
  );
  t.is(xidsOf(slow.after(at(10), 1_000))?.length, 150);
  await answer(
    pageOf(
      Array.from({ length: 150 }, (_, index) => 200 + index),
      400,
    ),
  );
  t.is(slow.after(at(10), 1_000), undefined, 'beyond what the feed keeps');
  t.is(xidsOf(slow.after(at(199), 1_000))?.length, 150);
});

test('changes that all streams have taken are forgotten', async (t) => {
  const { feeds, answer } = heldReads();
  const stream = feeds.subscribe({ workspaceId: 1, horizon: 10n });
  await answer(pageOf([11], 20));
  stream.after(at(20), 100);
  await answer(pageOf([21], 30));
  t.is(stream.after(at(10), 100), undefined);
  t.deepEqual(xidsOf(stream.after(at(20), 100)), [21]);
});

test('a feed without streams stops, and the next one starts afresh', async (t) => {
  const { feeds, reads } = heldReads();
  const [first, second] = [1, 2].map(() => feeds.subscribe({ workspaceId: 1, horizon: 10n }));
  first!.close();
  first!.close();
  second!.close();
  reads[0]!.answer.resolve(pageOf([], 20));
  await new Promise((resolve) => setImmediate(resolve));
  t.is(reads.length, 1);
  feeds.subscribe({ workspaceId: 1, horizon: 30n });
  t.deepEqual(reads.at(-1)!.after, at(30));
});

test('a failed read is logged once and repeated from the same position', async (t) => {
  const { feeds, reads, log } = heldReads();
  const streams = [1, 2].map(() => feeds.subscribe({ workspaceId: 1, horizon: 10n }));
  reads[0]!.answer.reject(new Error('connection lost'));
  await eventually(() => reads.length === 2);
  t.is(log.lines.filter(({ event }) => event === 'stream.readFailed').length, 1);
  t.deepEqual(reads[1]!.after, at(10));
  t.is(streams.length, 2);
});

test('streams of one workspace filter the shared changes', async (t) => {
  const stage = await streamStage(t);
  const other = await aChannel(stage.db, stage.workspace, { resourceId: 'res-2' });
  const all = await stage.openWorkspace();
  const own = await stage.open();
  const others = await stage.openAt(`channel:${other.publicId}`);
  const typed = await stage.openAt(`workspace:${stage.workspace.publicId}&eventType=chatapp.other.received`);
  for (const stream of [all, own, others, typed]) await stream.next();
  await acceptItems(stage.pool, [
    anItem({ platformMessageId: 'mid.1' }),
    anItem({ platformMessageId: 'mid.2', resourceId: 'res-2' }),
    anItem({ platformMessageId: 'mid.3', eventType: 'chatapp.other.received' }),
  ]);
  const shownBy = async (stream: typeof all, count: number): Promise<string[]> =>
    (await stream.deliveries(count)).map(({ data }) => data.platformMessageId);
  t.deepEqual(await shownBy(all, 3), ['mid.1', 'mid.2', 'mid.3']);
  t.deepEqual(await shownBy(own, 2), ['mid.1', 'mid.3']);
  t.deepEqual(await shownBy(others, 1), ['mid.2']);
  t.deepEqual(await shownBy(typed, 1), ['mid.3']);
});
