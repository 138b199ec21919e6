import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { startMediaPlatform, type MediaPlatform } from '../system/media-platform.ts';
import {
  type HistoryLength,
  historyLength,
  startContainers,
  untilRows,
  writeTransactions,
} from '../system/open-containers.ts';
import { cpuSecondsOfTree, residentMb } from '../system/process-facts.ts';
import type { Child } from '../system/processes.ts';
import type { Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';

const count = Number(process.env['BENCH_CONTAINERS'] ?? 10_000);
const CHANNELS = 50;
/** 10,000 containers with a check every five minutes, the end of the default schedule. */
const CHECKS_PER_SECOND = 10_000 / 300;
const pollMs = Math.max((count / CHECKS_PER_SECOND) * 1000, 30_000);
const IDLE_MS = 20_000;
const SAMPLES = 50;
const KB_PER_MB = 1024;

const specs: FigureSpec[] = [
  { name: 'made by one client, 16 at once', unit: '/s' },
  { name: 'worker, idle', unit: 'MB' },
  { name: 'worker with all of them open', unit: 'MB' },
  { name: 'worker after looks at all of them', unit: 'MB' },
  { name: 'memory of the worker for each', unit: 'KB' },
  { name: 'worker, processor time of a create and a first look', unit: 'ms' },
  { name: 'worker, processor time of a further look', unit: 'ms' },
  { name: 'worker, share of a core while all are looked at in turn', unit: '%' },
  { name: 'Temporal, processor time of a further look', unit: 'ms' },
  { name: 'Temporal events of a create and a first look', unit: '' },
  { name: 'Temporal events of a further look', unit: '' },
  { name: 'Temporal events until finished at the third look or so', unit: '' },
  { name: 'write transactions of a create and a first look', unit: '' },
  { name: 'write transactions of a further look', unit: '' },
];

export const containers: Row = {
  title: `what ${count.toLocaleString('en')} open media containers cost one worker (BENCH_CONTAINERS sets how many)`,
  async measure({ system, say }) {
    const platform = await startMediaPlatform();
    const connection = await Connection.connect({ address: system.temporalAddress });
    try {
      const worker = await system.startWorker({ PLATFORM_API_URL: platform.url });
      const client = new Client({ connection });
      const measured = await measureContainers({ system, say, platform, worker, client });
      const rate = Math.round((count * 1000) / pollMs);
      const looks = `a look at each every ${Math.round(pollMs / 1000)} s, ${rate} a second`;
      const notes = [
        `One run of ${count}: ${looks}. The base load of the worker is subtracted.`,
        'Memory grows with the first work of any kind, so the memory per container is meaningful from some thousands on.',
        'Created as the API creates them, 16 in parallel; the Temporal development server limits the rate.',
      ];
      return { figures: toFigures(specs, [measured]), notes };
    } finally {
      await connection.close();
      await platform.stop();
    }
  },
};

interface Bench {
  readonly system: System;
  readonly say: (text: string) => void;
  readonly platform: MediaPlatform;
  readonly worker: Child;
  readonly client: Client;
}

async function measureContainers(bench: Bench): Promise<Measured> {
  const { system, say, platform, client } = bench;
  const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
  const channels = await seedChannels({ ...system, count: CHANNELS, destinationUrl, type: 'photoapp' });
  await sleep(IDLE_MS / 2); // the effects of the start
  const started = await read(bench);
  await sleep(IDLE_MS);
  const idle = await read(bench);

  const ids = await startContainers({ system, client, channels, count, pollMs });
  const startedPerSecond = (count * 1000) / (performance.now() - idle.atMs);
  await untilRows(system, { where: "status = 'in_progress' and checked_at is not null", count });
  const open = await read(bench);
  const samples = ids.slice(-SAMPLES);
  const first = await historyLength(client, samples);
  say(`${count} are open, worker ${open.mb} MB; looking at them for ${Math.round(pollMs / 1000)} s`);
  const before = await read(bench);
  await sleep(pollMs);
  const after = await read(bench);
  say(`${after.looks - before.looks} looks, worker ${after.mb} MB`);

  platform.finishAll();
  await untilRows(system, { where: "status = 'finished'", count });
  const last = await historyLength(client, samples);
  const perSecond = perSecondOf({ from: started, to: idle });
  return {
    ...{
      'made by one client, 16 at once': startedPerSecond,
      'worker, idle': idle.mb,
      'worker with all of them open': open.mb,
    },
    'worker after looks at all of them': after.mb,
    'memory of the worker for each': ((after.mb - idle.mb) * KB_PER_MB) / count,
    ...costs({ idle, open, before, after, perSecond }),
    ...eventCosts({ first, last, sampleCount: samples.length }),
  };
}

interface Readings {
  readonly atMs: number;
  readonly mb: number;
  readonly workerSeconds: number;
  readonly temporalSeconds: number;
  readonly looks: number;
  readonly writes: number;
}

async function read({ system, worker, platform }: Bench): Promise<Readings> {
  return {
    atMs: performance.now(),
    mb: residentMb(worker.pid),
    workerSeconds: cpuSecondsOfTree(worker.pid),
    temporalSeconds: system.cpuSeconds()['temporal'] ?? 0,
    looks: platform.looks(),
    writes: await writeTransactions(system),
  };
}

type Counted = Pick<Readings, 'workerSeconds' | 'temporalSeconds' | 'writes'>;

/** The base load without containers, mostly the pumps' claims. */
function perSecondOf({ from, to }: { readonly from: Readings; readonly to: Readings }): Counted {
  const seconds = (to.atMs - from.atMs) / 1000;
  return {
    workerSeconds: (to.workerSeconds - from.workerSeconds) / seconds,
    temporalSeconds: (to.temporalSeconds - from.temporalSeconds) / seconds,
    writes: (to.writes - from.writes) / seconds,
  };
}

function without(perSecond: Counted, { from, to }: { readonly from: Readings; readonly to: Readings }): Counted {
  const seconds = (to.atMs - from.atMs) / 1000;
  return {
    workerSeconds: to.workerSeconds - from.workerSeconds - perSecond.workerSeconds * seconds,
    temporalSeconds: to.temporalSeconds - from.temporalSeconds - perSecond.temporalSeconds * seconds,
    writes: to.writes - from.writes - perSecond.writes * seconds,
  };
}

type Phases = Readonly<Record<'idle' | 'open' | 'before' | 'after', Readings>> & { readonly perSecond: Counted };

function costs({ idle, open, before, after, perSecond }: Phases): Measured {
  const creating = without(perSecond, { from: idle, to: open });
  const looking = without(perSecond, { from: before, to: after });
  const looks = after.looks - before.looks;
  return {
    'worker, processor time of a create and a first look': (creating.workerSeconds * 1000) / count,
    'worker, processor time of a further look': (looking.workerSeconds * 1000) / looks,
    'worker, share of a core while all are looked at in turn':
      (looking.workerSeconds * 100_000) / (after.atMs - before.atMs),
    'Temporal, processor time of a further look': (looking.temporalSeconds * 1000) / looks,
    'write transactions of a create and a first look': creating.writes / count,
    'write transactions of a further look': looking.writes / looks,
  };
}

interface Histories {
  readonly first: HistoryLength;
  readonly last: HistoryLength;
  readonly sampleCount: number;
}

function eventCosts({ first, last, sampleCount }: Histories): Measured {
  const each = (last.events - first.events) / (last.looks - first.looks);
  return {
    'Temporal events of a create and a first look': (first.events - (first.looks - sampleCount) * each) / sampleCount,
    'Temporal events of a further look': each,
    'Temporal events until finished at the third look or so': last.events / sampleCount,
  };
}
