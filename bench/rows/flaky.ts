import { setTimeout as sleep } from 'node:timers/promises';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { percentile } from '../figures/statistics.ts';
import { watchRetries } from '../system/retries.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { untilSettled } from '../system/traffic.ts';
import { countWorkflows, deliveryWorkflows } from '../system/workflows.ts';
import { CONNECTIONS } from './ingest.ts';

const shares = [0, 5, 20, 50];
/** More than one destination's in-flight limit lets through with a receiver of 50 ms. */
const RATE_PER_SECOND = 1_500;
const SECONDS = 12;
/** The first retries come 4 to 6 s after the first attempt. */
const RETRIES_MS = 8_000;
const VISIBILITY_MS = 3_000;
const LATE_MS = 1_000;

const RATE = 'first attempts';
const KEPT = 'first attempts, ratio to a healthy receiver';
const LATE = 'retries, lateness p99';
const WORKFLOWS = 'workflows made';
const at = (percent: number, name: string): string => `${percent} % fail: ${name}`;
const specs: FigureSpec[] = shares.flatMap((percent): FigureSpec[] => [
  { name: at(percent, RATE), unit: '/s' },
  ...(percent === 0
    ? []
    : [
        { name: at(percent, KEPT), unit: '', reach: { atLeast: 0.8 } },
        { name: at(percent, LATE), unit: 'ms', reach: { atMost: LATE_MS } },
        { name: at(percent, 'retries made'), unit: '' },
        { name: at(percent, WORKFLOWS), unit: '', reach: { atMost: 50 } },
      ]),
]);

export const flaky: Row = {
  title: 'a receiver that fails now and then: rate of first attempts, lateness of retries, workflows',
  async measure({ system, say }) {
    const seed = (percent: number) =>
      seedChannels({ ...system, count: 1, destinationUrl: () => `${system.sinkUrl}/flaky/${percent}` });
    await system.startWorker();
    await system.startApi();
    const runs = await repeat(async () => {
      const measured: Record<string, number> = {};
      for (const percent of shares) {
        const [channel] = await seed(percent);
        Object.assign(measured, await measureShare(system, { percent, resourceId: channel!.resourceId }));
        const kept = measured[at(percent, RATE)]! / measured[at(0, RATE)]!;
        if (percent > 0) measured[at(percent, KEPT)] = kept;
        say(
          `${percent} %: ${Math.round(measured[at(percent, RATE)]!)}/s, ${kept.toFixed(2)} of a healthy one, ${measured[at(percent, WORKFLOWS)] ?? 0} workflows`,
        );
      }
      return measured;
    });
    const notes = [
      `${RATE_PER_SECOND} events a second for ${SECONDS} s, each a conversation of its own, to a receiver that takes 50 ms.`,
    ];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function measureShare(
  system: System,
  { percent, resourceId }: { percent: number; resourceId: string },
): Promise<Measured> {
  const { sink, publisher, webhookUrl, appSecret } = system;
  const count = RATE_PER_SECOND * SECONDS;
  const workflowsBefore = await countWorkflows(system, deliveryWorkflows);
  await sink.call('setHealed', { isHealed: false });
  await sink.call('expect', { count });
  await publisher.call('prepare', { resourceIds: [resourceId], count, conversations: count, webhookUrl, appSecret });
  const retries = watchRetries(system.pool);
  const { sentAtMs } = await publisher.call('publish', { connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND });
  const { attemptedAtMs } = await sink.call('arrivals', undefined);
  const startedAtMs = sentAtMs.reduce((first, sent) => Math.min(first, sent));
  const endedAtMs = startedAtMs + SECONDS * 1000;
  const attempted = attemptedAtMs.filter((atMs) => atMs > 0 && atMs < endedAtMs).length;
  await sleep(RETRIES_MS);
  const lateMs = await retries.stop();
  await sink.call('setHealed', { isHealed: true });
  await sleep(VISIBILITY_MS);
  const made = (await countWorkflows(system, deliveryWorkflows)) - workflowsBefore;
  await untilSettled(system);
  return {
    [at(percent, RATE)]: attempted / SECONDS,
    [at(percent, LATE)]: lateMs.length === 0 ? Number.NaN : percentile(lateMs, 99),
    [at(percent, 'retries made')]: lateMs.length,
    [at(percent, WORKFLOWS)]: made,
  };
}
