import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import type { Row } from '../figures/row.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS, startBusyDestination } from './ingest.ts';

const WINDOW_SECONDS = 120;
const BUSY_BURST_EVENTS = 20_000;
const rates = ['0/s', '200/s', 'the highest rate'] as const;
type Rate = (typeof rates)[number];
const nameOf = (rate: Rate): string => `Temporal history events a minute at ${rate}`;
const specs: FigureSpec[] = rates.map((rate) => ({ name: nameOf(rate), unit: '', reach: { atMost: 50 } }));

export const history: Row = {
  title: 'Temporal history events a minute for healthy traffic, at 0/s, 200/s and the highest rate',
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const connection = await Connection.connect({ address: system.temporalAddress });
    const client = new Client({ connection });
    const measured: Record<string, number> = {};
    for (const rate of rates) {
      const before = await historyLength(client);
      await keepBusy(system, { rate, resourceIds });
      measured[nameOf(rate)] = ((await historyLength(client)) - before) / (WINDOW_SECONDS / 60);
      say(`${measured[nameOf(rate)]} a minute at ${rate}`);
    }
    await connection.close();
    const notes = [`One window of ${WINDOW_SECONDS} s each.`];
    return { figures: toFigures(specs, [measured satisfies Measured]), notes };
  },
};

async function keepBusy(system: System, { rate, resourceIds }: { rate: Rate; resourceIds: readonly string[] }) {
  const untilMs = performance.now() + WINDOW_SECONDS * 1000;
  const steady = { resourceIds, count: (WINDOW_SECONDS - 5) * 200, connections: CONNECTIONS, ratePerSecond: 200 };
  switch (rate) {
    case '0/s':
      break;
    case '200/s':
      await sendBurst(system, steady);
      break;
    case 'the highest rate':
      for (let burstMs = 0; performance.now() + burstMs < untilMs;) {
        const startedAtMs = performance.now();
        await sendBurst(system, { resourceIds, count: BUSY_BURST_EVENTS, connections: CONNECTIONS });
        burstMs = performance.now() - startedAtMs;
      }
  }
  await sleep(Math.max(untilMs - performance.now(), 0));
}

async function historyLength(client: Client): Promise<number> {
  let length = 0;
  for await (const { workflowId, runId } of client.workflow.list()) {
    length += (await client.workflow.getHandle(workflowId, runId).describe()).historyLength;
  }
  return length;
}
