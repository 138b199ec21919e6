import test from 'ava';
import { claimDebounced } from '../../../../db/ledger/claims/debounced-deliveries.ts';
import { testHotPool } from '../../../harness/database/hot-pool.ts';
import { passWindows, setDebounce } from '../../../harness/deliveries/debounced.ts';
import { accepted, anItem, aWebhookDestination, hotLedger } from '../../../harness/deliveries/hot-ledger.ts';

const CONVERSATIONS = 100;
const ROOM = 2;

test('a debounced claim looks only for events that it may send', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  const destination = await aWebhookDestination(ledger, ledger.channel);
  await setDebounce({ ...ledger, destination }, { seconds: 60 });
  const items = Array.from({ length: 3 * CONVERSATIONS }, (_, index) => {
    return anItem({ conversationKey: 1 + (index % CONVERSATIONS) });
  });
  await accepted(ledger.pool, items);
  await passWindows(ledger);
  const pool = testHotPool(t, ledger.url, { connections: 1, prunesPartitions: true });
  const { id, shard } = destination;
  const destinations = [{ id, room: ROOM, busyKeys: [] }];
  const { deliveries } = await claimDebounced(pool, { shards: [shard], heldIds: [], destinations, maxRows: 512 });
  t.is(deliveries.length, ROOM);
  const { rows } = await pool.query<Record<string, string>>(
    `explain (analyze, timing off)
     execute "claim-debounced" ('{${shard}}', '{}', '{${id}}', '{${ROOM}}', '{"{}"}', '512', '{0}')`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']!);
  const loops = (relation: RegExp): number =>
    plan
      .filter((line) => relation.test(line))
      .reduce((sum, line) => sum + Number(/loops=(\d+)/.exec(line)?.[1] ?? 0), 0);
  t.is(loops(/ on events_\d/), 2 * 3 * ROOM, 'a size and a body of each');
  t.is(loops(/ on conversation_holds h_\d/), 0);
  t.is(loops(/ on deliveries_parked p_\d/), 0);
});
