import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createClient } from '../../../../client/create-client.ts';
import { createDeliveryFeed, type DeliveryFeed } from '../../../../dashboard/pages/deliveries/delivery-feed.ts';
import type {
  DeliveryFilters,
  DeliverySummary,
  ListedDelivery,
} from '../../../../dashboard/pages/deliveries/delivery-filters.ts';
import { deliverySummary } from './delivery-summary.ts';

interface Stage {
  stored: ListedDelivery[];
  tell(delivery: DeliverySummary): void;
  when(isSo: (feed: DeliveryFeed) => boolean): Promise<void>;
  readonly feed: DeliveryFeed;
  readonly scopes: string[];
}

const channel = 'ch_12345678';

function feedStage(
  t: ExecutionContext,
  stored: ListedDelivery[],
  filters: DeliveryFilters = { channels: [channel], status: ['delivered'] },
): Stage {
  const scopes: string[] = [];
  let send: (text: string) => void = () => t.fail('no stream is open');
  let place = 0;
  let wake: () => void = () => undefined;
  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname === '/deliveries/stream') {
      scopes.push(url.searchParams.get('scope') ?? '');
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (text) => controller.enqueue(new TextEncoder().encode(text));
          send('id: 0\n\n');
          request.signal.addEventListener('abort', () => controller.error(request.signal.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const [status, until] = ['status', 'until'].map((name) => url.searchParams.get(name));
    const found = stage.stored.filter(
      (one) => (!status || status.split(',').includes(one.status)) && (!until || one.createdAt < until),
    );
    const deliveries = found.slice(from, from + 2);
    const nextCursor = from + 2 < found.length ? String(from + 2) : null;
    return Response.json({ deliveries, nextCursor });
  };
  const client = createClient({ baseUrl: 'http://service.example', fetch: answer });
  const feed = createDeliveryFeed({
    client,
    workspaceId: 'ws_12345678',
    filters,
    onChange: () => wake(),
  });
  const stage: Stage = {
    stored,
    feed,
    scopes,
    tell: (delivery) => send(`id: ${++place}\nevent: delivery\ndata: ${JSON.stringify(delivery)}\n\n`),
    when: (isSo) =>
      new Promise((resolve) => {
        wake = () => isSo(feed) && resolve();
        wake();
      }),
  };
  t.teardown(() => feed.stop());
  feed.start();
  return stage;
}

const idsOf = ({ list }: DeliveryFeed) => Array.from({ length: list.size() }, (_, index) => list.at(index)!.deliveryId);

test('a feed loads pages and applies streamed changes', async (t) => {
  const stage = feedStage(t, [deliverySummary('wd_3'), deliverySummary('wd_2'), deliverySummary('wd_1')]);
  const { feed } = stage;
  await stage.when(({ list, state }) => list.size() === 2 && state().tail === 'live');
  t.true(feed.state().hasMore);
  await feed.loadMore();
  t.deepEqual(idsOf(feed), ['wd_3', 'wd_2', 'wd_1']);
  t.false(feed.state().hasMore);
  stage.tell(deliverySummary('wd_4', { status: 'pending' }));
  stage.tell(deliverySummary('wd_5'));
  await stage.when(({ list }) => list.size() === 4);
  t.deepEqual(idsOf(feed), ['wd_5', 'wd_3', 'wd_2', 'wd_1'], 'deliveries that do not match the filters are ignored');
  t.true(feed.isFresh('wd_5'));
  stage.tell(deliverySummary('wd_2', { status: 'retrying' }));
  await stage.when(({ list }) => list.at(2)?.status === 'retrying');
  t.is(feed.list.size(), 4, 'a listed delivery stays when it no longer matches');
});

test('a feed catches up on deliveries created while it was stopped', async (t) => {
  const stage = feedStage(t, [deliverySummary('wd_1')]);
  await stage.when(({ state }) => state().isLoaded);
  stage.feed.stop();
  stage.stored = [deliverySummary('wd_2'), ...stage.stored];
  stage.feed.start();
  await stage.when(({ list }) => list.size() === 2);
  t.deepEqual(idsOf(stage.feed), ['wd_2', 'wd_1']);
});

test('a paused feed holds changes back and counts new deliveries', async (t) => {
  const stage = feedStage(t, [deliverySummary('wd_1')]);
  const { feed } = stage;
  await stage.when(({ list, state }) => list.size() === 1 && state().tail === 'live');
  feed.pause();
  stage.tell(deliverySummary('wd_1', { status: 'exhausted' }));
  stage.tell(deliverySummary('wd_2'));
  stage.tell(deliverySummary('wd_2', { status: 'retrying' }));
  stage.tell(deliverySummary('wd_3'));
  await stage.when(({ state }) => state().heldCount === 2);
  t.deepEqual([idsOf(feed), feed.list.at(0)?.status], [['wd_1'], 'delivered']);
  feed.resume();
  t.deepEqual(idsOf(feed), ['wd_3', 'wd_2', 'wd_1']);
  t.deepEqual([feed.list.at(1)?.status, feed.list.at(2)?.status], ['retrying', 'exhausted']);
  t.is(feed.state().heldCount, 0);
});

/** Deliveries that were created one after the other, newest first. */
const inOrder = (...numbers: readonly number[]) =>
  numbers.map((number) => deliverySummary(`wd_${number}`, { createdAt: `2026-01-01T12:00:0${number}.000Z` }));

test('a changed delivery of a page that is not loaded stays unlisted', async (t) => {
  const stage = feedStage(t, inOrder(4, 3, 2, 1));
  const { feed } = stage;
  await stage.when(({ list, state }) => list.size() === 2 && state().tail === 'live');
  for (const delivery of inOrder(1, 5)) stage.tell(delivery);
  await stage.when(({ list }) => list.indexOf('wd_5') !== undefined);
  t.deepEqual(idsOf(feed), ['wd_5', 'wd_4', 'wd_3']);
  await feed.loadMore();
  t.deepEqual(idsOf(feed), ['wd_5', 'wd_4', 'wd_3', 'wd_2', 'wd_1']);
});

test('a changed delivery below the newest page gets its last attempt', async (t) => {
  const [newest, second, oldest] = inOrder(3, 2, 1);
  const stage = feedStage(t, [newest!, second!, { ...oldest!, preview: 'Hello' }]);
  const { feed } = stage;
  await stage.when(({ list, state }) => list.size() === 2 && state().tail === 'live');
  await feed.loadMore();
  const retried = { ...oldest!, status: 'retrying' as const, attemptCount: 2 };
  const answered = { outcome: 'rejected', status: 503, error: null, url: 'https://example.com/' } as const;
  const lastAttempt = { number: 2, startedAt: oldest!.createdAt, durationMs: 4, ...answered };
  stage.stored = [newest!, second!, { ...retried, preview: 'Hello', lastAttempt }];
  stage.tell(retried);
  await stage.when(({ list }) => list.at(2)?.lastAttempt !== undefined);
  t.like(feed.list.at(2), { deliveryId: 'wd_1', status: 'retrying', preview: 'Hello', lastAttempt: { status: 503 } });
});

test('a feed without channel filter follows the workspace', async (t) => {
  const stage = feedStage(t, [deliverySummary('wd_1')], {});
  await stage.when(({ list, state }) => list.size() === 1 && state().tail === 'live');
  stage.tell(deliverySummary('wd_2', { channelId: 'ch_87654321', status: 'pending' }));
  await stage.when(({ list }) => list.size() === 2);
  t.deepEqual(idsOf(stage.feed), ['wd_2', 'wd_1']);
  t.deepEqual(stage.scopes, ['workspace:ws_12345678']);
});
