import { toAcceptItems } from '../../api/ingest/accept-item.ts';
import { splitEnvelope } from '../../api/ingest/split-envelope.ts';
import { acceptItems } from '../../db/ledger/accept.ts';
import { platformVocabulary } from '../../platform/webhooks/envelope-vocabulary.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { untilSettled } from '../system/traffic.ts';
import { webhookBody, type BenchEvents } from '../remotes/webhooks.ts';

const EVENTS = 40_000;
const BATCH = 250;
const DEADLINE_MS = 120_000;
const names = { one: 'deliveries to one destination', ten: 'deliveries to ten destinations' };
const specs: FigureSpec[] = [
  { name: names.one, unit: '/s', reach: { atLeast: 6_000 } },
  { name: names.ten, unit: '/s', reach: { atLeast: 6_000 } },
  { name: `${names.one}, second half`, unit: '/s' },
  { name: `${names.ten}, second half`, unit: '/s' },
  { name: 'accepted into the ledger, one writer', unit: '/s' },
];

export const delivery: Row = {
  title: 'deliveries a second of events that wait, to one destination and to ten',
  async measure({ system, say }) {
    const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
    const channels = await seedChannels({ ...system, count: 11, destinationUrl });
    const [first, ...ten] = channels.map(({ resourceId }) => resourceId);
    const runs = await repeat(async () => {
      const one = await drain(system, { resourceIds: [first!], count: EVENTS });
      const many = await drain(system, { resourceIds: ten, count: EVENTS });
      say(`${Math.round(one.perSecond)}/s to one, ${Math.round(many.perSecond)}/s to ten`);
      return {
        [names.one]: one.perSecond,
        [names.ten]: many.perSecond,
        [`${names.one}, second half`]: one.secondHalf,
        [`${names.ten}, second half`]: many.secondHalf,
        'accepted into the ledger, one writer': one.acceptedPerSecond,
      } satisfies Measured;
    });
    const notes = [`${EVENTS} events of 500 bytes in 1,000 conversations; each run with a fresh worker process.`];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function drain(system: System, events: BenchEvents) {
  const { sink, pool } = system;
  await sink.call('expect', { count: events.count });
  const acceptedPerSecond = await accept(system, events);
  // Keeps checkpoints and vacuum of the accepted events out of the measurement.
  await pool.query('checkpoint');

  const worker = await system.startWorker();
  if (!(await sink.call('waitFor', { count: events.count, timeoutMs: DEADLINE_MS })))
    throw new Error('Events were lost');
  await untilSettled(system);
  await worker.stop();
  const { arrivedAtMs, arrivalCount } = await sink.call('arrivals', undefined);
  if (arrivalCount !== events.count) throw new Error(`${arrivalCount - events.count} events were doubled`);
  const times = arrivedAtMs.toSorted();
  const rate = (from: number): number => ((times.length - 1 - from) / (times.at(-1)! - times[from]!)) * 1000;
  return { acceptedPerSecond, perSecond: rate(0), secondHalf: rate(events.count / 2) };
}

/** Accepts events as the API does, without HTTP. */
async function accept({ pool }: System, events: BenchEvents): Promise<number> {
  const items = Array.from({ length: events.count }, (_, sequence) => {
    const split = splitEnvelope(webhookBody(events, sequence), platformVocabulary);
    if ('malformed' in split) throw new Error('The bench created a body that is not JSON');
    return toAcceptItems(split);
  }).flat();
  const startedAtMs = performance.now();
  for (let at = 0; at < items.length; at += BATCH) await acceptItems(pool, items.slice(at, at + BATCH));
  return (items.length / (performance.now() - startedAtMs)) * 1000;
}
