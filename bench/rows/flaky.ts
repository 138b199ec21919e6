import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { measure, type Measured, percentile } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { watchRetries } from '../system/retries.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { prepareEvents, untilSettled } from '../system/traffic.ts';

const shares = [0, 5, 20, 50];
/** More than one destination's in-flight limit lets through with a receiver of 50 ms. */
const RATE_PER_SECOND = 1_500;
const SECONDS = 12;
/** The first retries come 4 to 6 s after the first attempt. */
const RETRIES_MS = 8_000;
const VISIBILITY_MS = 3_000;
const LATE_MS = 1_000;

export const flaky: Row = {
  title: 'a receiver that fails now and then: rate of first attempts, lateness of retries, workflows',
  async measure({ system, say }) {
    await system.startWorker();
    await system.startApi();
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      let healthyRate = Number.NaN;
      for (const percent of shares) {
        const at = (name: string): string => `${percent} % fail: ${name}`;
        const { rate, lateMs, workflowCount } = await measureShare(system, percent);
        run.push(measure(at('first attempts'), [rate, '/s']));
        if (percent === 0) {
          healthyRate = rate;
          continue;
        }
        const kept = rate / healthyRate;
        run.push(
          measure(at('first attempts, ratio to a healthy receiver'), [kept, ''], { atLeast: 0.8 }),
          measure(at('retries, lateness p99'), [percentile(lateMs, 99), 'ms'], { atMost: LATE_MS }),
          measure(at('retries made'), [lateMs.length, '']),
          measure(at('workflows made'), [workflowCount, ''], { atMost: 50 }),
        );
        say(`${percent} %: ${Math.round(rate)}/s, ${kept.toFixed(2)} of a healthy one, ${workflowCount} workflows`);
      }
      return run;
    });
    const notes = [
      `${RATE_PER_SECOND} events a second for ${SECONDS} s, each a conversation of its own, to a receiver that takes 50 ms.`,
    ];
    return { runs, notes };
  },
};

async function measureShare(system: System, percent: number) {
  const { sink, sinkUrl } = system;
  const destinationUrl = (): string => `${sinkUrl}/flaky/${percent}`;
  const [channel] = await seedChannels({ ...system, count: 1, destinationUrl });
  const count = RATE_PER_SECOND * SECONDS;
  const workflowsBefore = await countWorkflows(system);
  await sink.call('setHealed', { isHealed: false });
  const resourceIds = [channel!.resourceId];
  const publish = await prepareEvents(system, {
    resourceIds,
    count,
    conversations: count,
    ratePerSecond: RATE_PER_SECOND,
  });
  const retries = watchRetries(system.pool);
  const { sentAtMs } = await publish();
  const { attemptedAtMs } = await sink.call('arrivals', undefined);
  const startedAtMs = sentAtMs.reduce((first, sent) => Math.min(first, sent));
  const endedAtMs = startedAtMs + SECONDS * 1000;
  const attempted = attemptedAtMs.filter((atMs) => atMs > 0 && atMs < endedAtMs).length;
  await sleep(RETRIES_MS);
  const lateMs = await retries.stop();
  await sink.call('setHealed', { isHealed: true });
  await sleep(VISIBILITY_MS);
  const workflowCount = (await countWorkflows(system)) - workflowsBefore;
  await untilSettled(system);
  return { rate: attempted / SECONDS, lateMs, workflowCount };
}

/** Visibility lags by up to a second, so a count right after a start may miss it. */
async function countWorkflows({ temporalAddress }: System): Promise<number> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const query = `WorkflowType in ('deliverWebhook', 'destinationCircuit')`;
    const { count } = await new Client({ connection }).workflow.count(query);
    return count;
  } finally {
    await connection.close();
  }
}
