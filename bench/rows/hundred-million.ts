import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { findPage } from '../../db/deliveries/find-page.ts';
import { readDeliveries } from '../../db/deliveries/records.ts';
import { workflowTypes } from '../../workflows/workflow-types.ts';
import { durationsMs, measure, type Measured, percentile, percentiles } from '../figures/figures.ts';
import type { Bench, Row } from '../figures/row.ts';
import { bulkParameters, hasHistory, writeHistory } from '../system/history.ts';
import { keptChannels, seedChannels, type SeededChannel } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { readStorage, readWalParts, readWalSize, walPosition } from '../system/wal.ts';
import { describeWal } from '../figures/split.ts';
import { runPhase, sendBurst, untilSettled, WARM_UP_EVENTS } from '../system/traffic.ts';

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
const MOST_PAGE_MS = 50;
export const hundredMillion: Row = {
  title: `${ROWS.toLocaleString('en')} old deliveries, then ${RATE_PER_SECOND}/s with retention on`,
  async measure({ system, say }) {
    const channels = await channelsWithHistory({ system, say });
    await system.startWorker();
    await system.startApi();
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS });
    await startRetention(system);
    const run = await measureLoad({ system, say }, channels);
    say(run.map(({ name, unit, value }) => `${name} ${value.toFixed(2)} ${unit}`).join('\n  '));
    const notes = [
      `One run of ${SECONDS} s. BENCH_ROWS and BENCH_SECONDS change the size; ${ROWS.toLocaleString('en')} rows over ${DAYS} days and ${CHANNELS} channels here.`,
    ];
    return { runs: [run], notes };
  },
};

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

async function measureLoad({ system, say }: Bench, channels: readonly SeededChannel[]): Promise<Measured[]> {
  const count = RATE_PER_SECOND * SECONDS;
  const before = await readStorage(system.pool);
  const walStart = await walPosition(system.pool);
  const pages = new Map<PageKind, number[]>(pageKinds.map((kind) => [kind, []]));
  let isSending = true;
  const reading = readPages(system, { channels, pages, isWanted: () => isSending });
  const { sentAtMs, answeredAtMs, arrivedAtMs } = await runPhase(system, {
    resourceIds: channels.map(({ resourceId }) => resourceId),
    count,
    ratePerSecond: RATE_PER_SECOND,
  });
  isSending = false;
  await reading;
  await untilSettled(system);
  const after = await readStorage(system.pool);
  const wal = await readWalSize(system.pool, walStart);
  for (const line of describeWal(await readWalParts(system.pool, walStart), count)) say(line);
  const hotShare = (after.hotUpdates - before.hotUpdates) / (after.updates - before.updates);
  const growth = (after.tableBytes / before.tableBytes - 1) * 100;
  const perEvent = (bytes: number): number => bytes / BYTES_PER_KB / count;
  return [
    ...percentiles('accepted', durationsMs(sentAtMs, answeredAtMs), { 50: null, 99: null }),
    ...percentiles('accepted to arrived', durationsMs(answeredAtMs, arrivedAtMs), { 50: null, 99: null }),
    measure('WAL for an event between checkpoints', [perEvent(wal.bytes), 'KB'], { atMost: 3 }),
    measure('whole pages in the WAL for an event', [perEvent(wal.pageBytes), 'KB']),
    measure('share of updates that are HOT', [hotShare, '']),
    measure('autovacuums', [after.autovacuums - before.autovacuums, '']),
    measure('dead rows at the end', [after.deadRows, '']),
    measure('growth of the files', [growth, '%'], { atMost: 10 }),
    ...[...pages].map(([kind, tookMs]) =>
      measure(`page of ${PAGE_SIZE} ${kind}, p95`, [percentile(tookMs, 95), 'ms'], { atMost: MOST_PAGE_MS }),
    ),
  ];
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
