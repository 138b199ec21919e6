import type { InstallationStatus } from '../../db/upkeep/installation-status.ts';
import type { TaskQueueStatus } from '../../workflow-starts/task-queue-status.ts';

export interface StatusReport extends InstallationStatus {
  readonly readAt: Date;
  readonly temporal: { readonly state: string; readonly taskQueues: readonly TaskQueueStatus[] | null };
}

type Line = readonly [label: string, value: string];

/** Shows what the staff page "Status" shows, in the same sections. */
export function statusText({ readAt, workers, shards, backlog, database, temporal }: StatusReport): string {
  const sections: readonly (readonly [title: string, lines: readonly Line[]])[] = [
    ['Workers', workers.length === 0 ? [['No worker runs', '']] : workers.map(workerLine)],
    [
      'Shards',
      [
        [
          'Unserved',
          shards.unservedCount === 0 ? 'none' : `${shards.unservedCount} for ${age(shards.unservedSeconds)}`,
        ],
      ],
    ],
    ['Deliveries', deliveryLines(backlog)],
    ['PostgreSQL', databaseLines(database)],
    ['Temporal', [['State', temporal.state], ...(temporal.taskQueues ?? []).map(queueLine)]],
  ];
  const texts = sections.map(([title, lines]) => {
    const width = Math.max(...lines.map(([label]) => label.length));
    return [title, ...lines.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`.trimEnd())].join('\n');
  });
  return [`Read at ${readAt.toISOString()}`, ...texts].join('\n\n');
}

function workerLine({ holder, isLive, seenSeconds, shardCount, roles }: StatusReport['workers'][number]): Line {
  const state = isLive ? 'live' : 'silent';
  return [holder, `${state}, seen ${age(seenSeconds)} ago, ${counted(shardCount, 'shard')}, ${roles.join(', ')}`];
}

function deliveryLines({ waiting, oldest, ...backlog }: StatusReport['backlog']): readonly Line[] {
  const agesOf = (status: 'pending' | 'retrying'): string =>
    oldest
      .filter((one) => one.status === status && one.seconds > 0)
      .map(({ circuit, seconds }) => `${age(seconds)}${circuit === 'open' ? ' (held back)' : ''}`)
      .join(', ') || 'none';
  return [
    ...waiting.map(({ status, count }) => [`Waiting, ${status}`, String(count)] as const),
    ['Oldest pending', agesOf('pending')],
    ['Oldest retrying', agesOf('retrying')],
    ['Most overdue retry', ageOrNone(backlog.overdueSeconds)],
    ['Open circuits', String(backlog.circuits.reduce((sum, { count }) => sum + count, 0))],
    ['Destinations not settling', String(backlog.notSettlingCount)],
    ['Streams wait for', ageOrNone(backlog.horizonSeconds)],
  ];
}

function databaseLines(database: StatusReport['database']): readonly Line[] {
  const waits =
    database.lockWaitCount === 0 ? 'none' : `${database.lockWaitCount}, ${age(database.oldestLockWaitSeconds)}`;
  return [
    ['Connections', `${database.connectionCount} of ${database.connectionLimit}`],
    ['Sessions that wait for a lock', waits],
    ['Oldest transaction', ageOrNone(database.oldestTransactionSeconds)],
    ['Size', `${Math.round(database.databaseBytes / 1_000_000)} MB`],
    ...(database.seesOthers ? [] : [['Sessions of others', 'not visible: the role lacks pg_monitor'] as const]),
    ...(database.replicaLagSeconds === null
      ? []
      : [['Replica behind', ageOrNone(database.replicaLagSeconds)] as const]),
  ];
}

function queueLine({ queue, kind, waitingCount, oldestSeconds, pollerCount }: TaskQueueStatus): Line {
  const oldest = waitingCount === 0 ? '' : `, oldest ${age(oldestSeconds)}`;
  return [`${queue} (${kind})`, `${waitingCount} waiting${oldest}, ${counted(pollerCount, 'poller')}`];
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
const age = (seconds: number): string => `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
const ageOrNone = (seconds: number): string => (seconds === 0 ? 'none' : age(seconds));
