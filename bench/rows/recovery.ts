import { toFigures, type FigureSpec } from '../figures/figures.ts';
import type { Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import { countWorkflows, deliveryWorkflows } from '../system/workflows.ts';
import { CONNECTIONS } from './ingest.ts';

const EVENTS = 120_000;
/** Ten minutes at 200/s, scaled to one. */
const RATE_PER_SECOND = 2_000;
const DEADLINE_MS = 180_000;
const MS_PER_SECOND = 1_000;
const specs: FigureSpec[] = [
  { name: 'workflows made', unit: '', reach: { atMost: 6 } },
  { name: 'first delivery after it is back', unit: 's', reach: { atMost: 60 } },
  { name: `time to drain ${EVENTS.toLocaleString('en')}`, unit: 's', reach: { atMost: 60 } },
  { name: 'requests made to it while it was down', unit: '' },
  { name: 'doubled', unit: '' },
];

export const recovery: Row = {
  title: 'a receiver that was down while 120,000 events came for it: workflows made, first delivery, time to drain',
  async measure({ system, say }) {
    const { sink, publisher, pool, webhookUrl, appSecret } = system;
    const destinationUrl = (): string => `${system.sinkUrl}/webhook/0`;
    const [channel] = await seedChannels({ ...system, count: 1, destinationUrl });
    await system.startWorker();
    await system.startApi();
    await sink.call('setDown', { isDown: true });
    await sink.call('expect', { count: EVENTS });
    await publisher.call('prepare', { resourceIds: [channel!.resourceId], count: EVENTS, webhookUrl, appSecret });
    const { refusedCount } = await publisher.call('publish', {
      connections: CONNECTIONS,
      ratePerSecond: RATE_PER_SECOND,
    });
    if (refusedCount > 0) throw new Error(`${refusedCount} webhooks were not answered 200`);
    const { rows } = await pool.query<{ count: number }>('select count(*) from attempts');
    say('the receiver is up again');
    await sink.call('setDown', { isDown: false });
    const backAtMs = performance.timeOrigin + performance.now();
    if (!(await sink.call('waitFor', { count: EVENTS, timeoutMs: DEADLINE_MS }))) throw new Error('Events were lost');

    const { arrivedAtMs, lastArrivedAtMs, arrivalCount } = await sink.call('arrivals', undefined);
    const firstAtMs = arrivedAtMs.reduce((first, atMs) => Math.min(first, atMs));
    const run = {
      'workflows made': await countWorkflows(system, deliveryWorkflows),
      'first delivery after it is back': (firstAtMs - backAtMs) / MS_PER_SECOND,
      [`time to drain ${EVENTS.toLocaleString('en')}`]: (lastArrivedAtMs - firstAtMs) / MS_PER_SECOND,
      'requests made to it while it was down': rows[0]!.count,
      doubled: arrivalCount - EVENTS,
    };
    const notes = [`One run: ${EVENTS} events at ${RATE_PER_SECOND}/s for one destination that answers 503.`];
    return { figures: toFigures(specs, [run]), notes };
  },
};
