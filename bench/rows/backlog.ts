import { toFigures, type FigureSpec } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels, type SeededChannel } from '../system/seed.ts';
import { median } from '../figures/statistics.ts';
import { settleTables, writeBacklog } from '../system/backlog.ts';
import type { System } from '../system/system.ts';
import { untilSettled } from '../system/traffic.ts';
import { measureBurst } from '../figures/burst.ts';
import { CONNECTIONS, describeBurst, EVENTS, startBusyDestination } from './ingest.ts';

const ROWS = 1_000_000;
const CANDIDATES = 32;
const without = 'end to end without a backlog';
const withBacklog = `end to end with a backlog of ${ROWS.toLocaleString('en')}`;
const ratio = 'with against without';
const specs: FigureSpec[] = [
  { name: without, unit: '/s' },
  { name: withBacklog, unit: '/s' },
  { name: ratio, unit: '', reach: { atLeast: 0.9 } },
];

export const backlog: Row = {
  title: 'end to end while a backlog of 1,000,000 waits for another destination',
  // Longer than the runs, so that the receiver hangs rather than fails.
  env: { DELIVERY_TIMEOUT_MS: '60000' },
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const burst = { resourceIds, count: EVENTS, connections: CONNECTIONS };
    const before = await repeat(() => measureBurst(system, burst));
    const target = await hangingNeighbour(system, resourceIds[0]!);
    say(`writing ${ROWS} waiting deliveries`);
    await writeBacklog(system.pool, { destinationId: target.destinationId, rows: ROWS });
    await settleTables(system.pool);
    const isSettled = (): Promise<void> => untilSettled(system, target.destinationId);
    await measureBurst(system, { ...burst, isSettled });
    const after = await repeat(() => measureBurst(system, { ...burst, isSettled }));
    const base = median(before.map(({ eventsPerSecond }) => eventsPerSecond));
    const runs = after.map((run, index) => ({
      [without]: before[index]!.eventsPerSecond,
      [withBacklog]: run.eventsPerSecond,
      [ratio]: run.eventsPerSecond / base,
    }));
    return { figures: toFigures(specs, runs), notes: [describeBurst(), 'Both destinations are in one shard.'] };
  },
};

/** The same shard is the worst place for a backlog. */
async function hangingNeighbour(system: System, busyResourceId: string): Promise<SeededChannel> {
  const { db, hangingUrl } = system;
  const candidates = await seedChannels({ ...system, count: CANDIDATES, destinationUrl: () => hangingUrl });
  const { rows } = await db.raw(
    `select d.id from destinations d
     where d.id = any (?) and d.shard = (
       select b.shard from destinations b join channels c on c.id = b.channel_id where c.resource_id = ?)`,
    [candidates.map(({ destinationId }) => destinationId), busyResourceId],
  );
  const found = candidates.find(({ destinationId }) => destinationId === rows[0]?.id);
  if (!found) throw new Error('No candidate is in the shard of the busy destination');
  return found;
}
