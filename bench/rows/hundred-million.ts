import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { findPage } from '../../db/deliveries/find-page.ts';
import { readDeliveries } from '../../db/deliveries/records.ts';
import { workflowTypes } from '../../workflows/workflow-types.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import type { Row } from '../figures/row.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import { bulkParameters, hasHistory, writeHistory } from '../system/history.ts';
import { runPhase } from '../system/phase.ts';
import { keptChannels, seedChannels, type SeededChannel } from '../system/seed.ts';
import { readStorage } from '../system/storage.ts';
import type { System } from '../system/system.ts';
import { readWalParts, readWalSize, walPosition } from '../system/wal.ts';
import { describeWal } from '../figures/split.ts';
import { sendBurst, untilSettled } from '../system/traffic.ts';
import { CONNECTIONS, WARM_UP_EVENTS } from './ingest.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const RATE_PER_SECOND = Number(process.env['BENCH_RATE'] ?? 2_000);
const CHANNELS = 100;
/** Retention drops the oldest of 14 periods, as it does every 2.5 days. The present period is a third full. */
const DAYS = 33.4;
const PAGE_SIZE = 50;
const PAGE_PAUSE_MS = 50;
const BYTES_PER_KB = 1024;
const DEFAULT_SENDER = '15551230001';

const pageKinds = ['newest', 'by status', 'of a channel', 'by sender', 'before the middle'] as const;
type PageKind = (typeof pageKinds)[number];
const ofPage = (kind: PageKind): string => `page of ${PAGE_SIZE} ${kind}, p95`;
const MOST_PAGE_MS = 50;
const specs: FigureSpec[] = [
  { name: 'accepted, p50', unit: 'ms' },
  { name: 'accepted, p99', unit: 'ms' },
  { name: 'accepted to arrived, p50', unit: 'ms' },
  { name: 'accepted to arrived, p99', unit: 'ms' },
  { name: 'WAL for an event between checkpoints', unit: 'KB', reach: { atMost: 3 } },
  { name: 'whole pages in the WAL for an event', unit: 'KB' },
  { name: 'share of updates that are HOT', unit: '' },
  { name: 'autovacuums', unit: '' },
  { name: 'dead rows at the end', unit: '' },
  { name: 'growth of the files', unit: '%', reach: { atMost: 10 } },
  ...pageKinds.map((kind) => ({ name: ofPage(kind), unit: 'ms', reach: { atMost: MOST_PAGE_MS } })),
];

export const hundredMillion: Row = {
  title: `${ROWS.toLocaleString('en')} old deliveries, then ${RATE_PER_SECOND}/s with retention on`,
  async measure({ system, say }) {
    const channels = await channelsWithHistory({ system, say });
    await system.startWorker();
    await system.startApi();
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    await startRetention(system);
    const run = await measureLoad({ system, say }, channels);
    say(specs.map(({ name, unit }) => `${name} ${run[name]?.toFixed(2)} ${unit}`).join('\n  '));
    const notes = [
      `One run of ${SECONDS} s. BENCH_ROWS and BENCH_SECONDS change the size; ${ROWS.toLocaleString('en')} rows over ${DAYS} days and ${CHANNELS} channels here.`,
    ];
    return { figures: toFigures(specs, [run]), notes };
  },
};

interface Bench {
  readonly system: System;
  readonly say: (text: string) => void;
}

/** Continues with the channels of an earlier run if the folder of its data is given. */
async function channelsWithHistory({ system, say }: Bench): Promise<SeededChannel[]> {
  const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
  const known = await keptChannels({ ...system, destinationUrl });
  const channels = known.length > 0 ? known : await seedChannels({ ...system, count: CHANNELS, destinationUrl });
  if (await hasHistory(system.db)) return channels;
  await system.restartDatabase(bulkParameters);
  const startedAtMs = performance.now();
  await writeHistory({ ...system, say, rows: ROWS, channelIds: channels.map(({ id }) => id), days: DAYS });
  say(`${ROWS} rows written in ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  await system.restartDatabase();
  return channels;
}

/** Runs every hour by itself. */
async function startRetention({ temporalAddress }: System): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress });
  await new Client({ connection }).schedule.getHandle(workflowTypes.retention.scheduleId).trigger();
  await connection.close();
}

async function measureLoad({ system, say }: Bench, channels: readonly SeededChannel[]): Promise<Measured> {
  const count = RATE_PER_SECOND * SECONDS;
  const before = await readStorage(system.pool);
  const walStart = await walPosition(system.pool);
  const pages = new Map<PageKind, number[]>(pageKinds.map((kind) => [kind, []]));
  let isSending = true;
  const reading = readPages(system, { channels, pages, isWanted: () => isSending });
  const { sentAtMs, answeredAtMs, arrivedAtMs } = await runPhase(system, {
    resourceIds: channels.map(({ resourceId }) => resourceId),
    ...{ count, connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND },
  });
  isSending = false;
  await reading;
  await untilSettled(system);
  const after = await readStorage(system.pool);
  const wal = await readWalSize(system.pool, walStart);
  for (const line of describeWal(await readWalParts(system.pool, walStart), count)) say(line);
  const accepted = durationsMs(sentAtMs, answeredAtMs);
  const arrived = durationsMs(answeredAtMs, arrivedAtMs);
  return {
    'accepted, p50': percentile(accepted, 50),
    'accepted, p99': percentile(accepted, 99),
    'accepted to arrived, p50': percentile(arrived, 50),
    'accepted to arrived, p99': percentile(arrived, 99),
    'WAL for an event between checkpoints': wal.bytes / BYTES_PER_KB / count,
    'whole pages in the WAL for an event': wal.pageBytes / BYTES_PER_KB / count,
    'share of updates that are HOT': (after.hotUpdates - before.hotUpdates) / (after.updates - before.updates),
    autovacuums: after.autovacuums - before.autovacuums,
    'dead rows at the end': after.deadRows,
    'growth of the files': (after.tableBytes / before.tableBytes - 1) * 100,
    ...Object.fromEntries([...pages].map(([kind, tookMs]) => [ofPage(kind), percentile(tookMs, 95)])),
  };
}

interface ReadPages {
  readonly channels: readonly SeededChannel[];
  readonly pages: ReadonlyMap<PageKind, number[]>;
  readonly isWanted: () => boolean;
}

/** While the events come, as a person looks at lists on a busy day. */
async function readPages({ db, pool }: System, { channels, pages, isWanted }: ReadPages): Promise<void> {
  const { rows } = await pool.query<{ id: number }>('select max(id) / 2 as id from deliveries');
  const filters = {
    newest: {},
    'by status': { statuses: ['exhausted'] },
    'of a channel': { channelId: channels[0]!.id },
    'by sender': { sender: DEFAULT_SENDER },
    'before the middle': { before: rows[0]!.id },
  } as const satisfies Record<PageKind, object>;
  for (let turn = 0; isWanted(); turn++) {
    const { workspaceId } = channels[turn % channels.length]!;
    for (const kind of pageKinds) {
      const page = { workspaceId, limit: PAGE_SIZE, ...filters[kind] };
      const startedAtMs = performance.now();
      const { workspaceId: readOf } = kind === 'of a channel' ? channels[0]! : page;
      await readDeliveries(db, await findPage(db, { ...page, workspaceId: readOf }));
      pages.get(kind)!.push(performance.now() - startedAtMs);
    }
    await sleep(PAGE_PAUSE_MS);
  }
}
