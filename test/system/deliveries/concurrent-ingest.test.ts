import { randomBytes } from 'node:crypto';
import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { createHotPool } from '../../../db/core/hot-pool.ts';
import { countArrivals, arriveOnce } from '../../harness/system/arrivals.ts';
import { publishBurst } from '../../harness/system/publish.ts';
import { patienceMs, sized } from '../../harness/system/scale.ts';
import { startSystem, type ConnectedChannel } from '../../harness/system/system.ts';
import { until } from '../../harness/until.ts';

const count = sized({ quick: 5_000, full: 100_000 });
const LATE_ROUNDS = 5;
const LATE_ITEMS = 20;
const CONNECT_WITHIN_MS = 30_000;

test('concurrent ingest and a late commit lose no events', async (t) => {
  t.timeout(patienceMs(count) * 2);
  const arrivals = await countArrivals(t);
  const { channel, ...system } = await startSystem(t, { apis: 2, workers: 2 });
  const channels = await Promise.all([1, 2, 3].map(() => channel({ webhookUrl: arrivals.url })));
  const resourceIds = channels.map(({ resourceId }) => resourceId);
  const burst = publishBurst({ ...system, resourceIds, count, duplicateEvery: 25, lanes: 48 });

  const late: string[] = [];
  for (let round = 0; round < LATE_ROUNDS; round++) {
    const ids = Array.from({ length: LATE_ITEMS }, (_, n) => `late.${round}.${n}`);
    const before = arrivals.distinct.size;
    await commitLate({ url: system.databaseUrl, channel: channels[round % channels.length]!, ids }, async () => {
      // Rows with higher numbers are delivered before these become visible.
      const enough = Math.min(before + count / 10, count + late.length);
      await until(() => arrivals.distinct.size >= enough, { for: 'Later events' });
    });
    late.push(...ids);
  }
  await burst.done;
  const acknowledged = [...burst.acknowledged, ...late];
  t.is(acknowledged.length, count + LATE_ROUNDS * LATE_ITEMS);
  await arriveOnce(t, { ...system, acknowledged, arrivals });
});

interface LateItems {
  readonly url: string;
  readonly channel: ConnectedChannel;
  readonly ids: readonly string[];
}

/** Accepts items like an API process, but keeps the transaction open until `meanwhile` resolves. */
async function commitLate({ url, channel, ids }: LateItems, meanwhile: () => Promise<void>): Promise<void> {
  const onError = (): void => undefined;
  const pool = createHotPool({
    url,
    applicationName: 'late-writer',
    connections: 1,
    onError,
    connectWithinMs: CONNECT_WITHIN_MS,
  });
  // The pool would end its idle connection, and with it the transaction.
  pool.options.idleTimeoutMillis = 0;
  try {
    await pool.query('begin');
    await acceptItems(
      pool,
      ids.map((id) => ({
        channelType: 'chatapp',
        resourceId: channel.resourceId,
        eventType: 'chatapp.message.received',
        conversationKey: 1,
        sender: null,
        platformMessageId: id,
        key: randomBytes(16).toString('hex'),
        body: Buffer.from(JSON.stringify({ id })),
      })),
    );
    await meanwhile();
    await pool.query('commit');
  } finally {
    await pool.end();
  }
}
