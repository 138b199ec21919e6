import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls.ts';
import { formatDuration, formatNumber, pluralize } from '../../kit/format/format.ts';
import { type Column, Table } from '../../kit/lists.tsx';
import { Badge, Button, DescriptionList, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import type { Tone } from '../../kit/tone.ts';
import type { Desk } from './desk.ts';
import { StaffDesk } from './staff-desk.tsx';
import { latenessTone, shardsTone, workersTone } from './status-tones.ts';

type Status = Schema<'InstallationStatus'>;

/** As the alert rules have them, where there is one. */
const LONG_LOCK_SECONDS = 30;
const LONG_TRANSACTION_SECONDS = 120;
const WAITING_TASK_SECONDS = 5;
const FULL_SHARE = 0.85;

export function Page() {
  return <StaffDesk title="Status">{(opened) => <Standing key={opened.reason} opened={opened} />}</StaffDesk>;
}

/** Each reading is recorded, so that only a click reads again. */
function Standing({ opened: { client, reason } }: { readonly opened: Desk }) {
  const status = useLoad(['status', reason], () => client.get('/staff/status', { params: { query: { reason } } }), {
    isOnce: true,
  });
  return (
    <WhenLoaded of={status}>
      {(value) => (
        <>
          <Glance status={value} onRefresh={status.reload} />
          <WorkerPanel status={value} />
          <BacklogPanel backlog={value.backlog} />
          <DatabasePanel database={value.database} />
          <TemporalPanel temporal={value.temporal} />
        </>
      )}
    </WhenLoaded>
  );
}

function Glance({ status, onRefresh }: { readonly status: Status; readonly onRefresh: () => Promise<void> }) {
  const { workers, shards, backlog, database, temporal, readAt } = status;
  const oldest = oldestSeconds(backlog);
  const isFull = database.connectionCount > FULL_SHARE * database.connectionLimit;
  const locked = database.oldestLockWaitSeconds;
  const late = temporal.taskQueues?.filter((queue) => queue.oldestSeconds > WAITING_TASK_SECONDS) ?? [];
  return (
    <Panel
      title="At a glance"
      actions={
        <>
          <span class="soft">
            Read <RelativeTime at={readAt} />
          </span>
          <Button small onClick={() => void onRefresh()}>
            Refresh
          </Button>
        </>
      }
    >
      <DescriptionList
        items={[
          [
            'Workers',
            <Badge key="workers" tone={workersTone(status)}>
              {liveText(workers)}
            </Badge>,
          ],
          [
            'Shards',
            <Badge key="shards" tone={shardsTone(shards)}>
              {shards.unservedCount === 0
                ? 'all served'
                : `${pluralize(shards.unservedCount, 'shard')} unserved for ${ageOf(shards.unservedSeconds)}`}
            </Badge>,
          ],
          [
            'Oldest delivery',
            <Badge key="oldest" tone={latenessTone(oldest)}>
              {oldest === 0 ? 'none waits' : ageOf(oldest)}
            </Badge>,
          ],
          [
            'PostgreSQL',
            verdict(
              !isFull && locked <= LONG_LOCK_SECONDS,
              locked > 0 ? `lock awaited for ${ageOf(locked)}` : connectionsOf(database),
            ),
          ],
          [
            'Temporal',
            verdict(
              temporal.state === 'ok' && late.length === 0,
              temporal.state === 'ok' && late.length > 0 ? `${pluralize(late.length, 'queue')} late` : temporal.state,
            ),
          ],
        ]}
      />
    </Panel>
  );
}

function verdict(isGood: boolean, text: string): ComponentChildren {
  return <Badge tone={isGood ? 'good' : 'bad'}>{text}</Badge>;
}

/** A worker that leaves in order deletes its row. */
function liveText(workers: Status['workers']): string {
  const live = workers.filter(({ isLive }) => isLive);
  const deadCount = workers.length - live.length;
  if (live.length === 0 || deadCount === 0) return `${live.length} of ${workers.length} live`;
  return `${live.length} live, ${deadCount} ended without leaving`;
}

function WorkerPanel({ status: { workers, shards } }: { readonly status: Status }) {
  return (
    <Panel title="Workers">
      {workers.length === 0 ? (
        <p>No worker runs. Events are accepted, and their deliveries wait.</p>
      ) : (
        <Table
          caption="Workers"
          columns={workerColumns(workersTone({ workers, shards }))}
          rows={workers}
          keyOf={({ holder }) => holder}
        />
      )}
    </Panel>
  );
}

const workerColumns = (tone: Tone): readonly Column<Status['workers'][number]>[] => [
  { head: 'Worker', cell: ({ holder }) => <code>{holder}</code> },
  {
    head: 'State',
    cell: ({ isLive }) => <Badge tone={isLive ? 'good' : tone}>{isLive ? 'live' : 'silent'}</Badge>,
  },
  { head: 'Last seen', cell: ({ seenSeconds }) => `${ageOf(seenSeconds)} ago` },
  { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { head: 'Shards', align: 'end', cell: ({ shardCount }) => formatNumber(shardCount) },
];

function BacklogPanel({ backlog }: { readonly backlog: Status['backlog'] }) {
  const { waiting, oldest, overdueSeconds, circuits, notSettlingCount, horizonSeconds } = backlog;
  const openCount = circuits.reduce((sum, { count }) => sum + count, 0);
  const ages = (status: 'pending' | 'retrying') =>
    oldest
      .filter((one) => one.status === status && one.seconds > 0)
      .map(({ circuit, seconds }) => `${ageOf(seconds)}${circuit === 'open' ? ' (held back)' : ''}`)
      .join(', ') || 'none';
  return (
    <Panel title="Deliveries">
      <DescriptionList
        items={[
          ...waiting.map(({ status, count }) => [`Waiting, ${status}`, formatNumber(count)] as const),
          ['Oldest pending', ages('pending')],
          ['Oldest retrying', ages('retrying')],
          ['Most overdue retry', ageOrNone(overdueSeconds)],
          ['Open circuits', formatNumber(openCount)],
          ['Destinations not settling', formatNumber(notSettlingCount)],
          ['Streams wait for', ageOrNone(horizonSeconds)],
        ]}
      />
    </Panel>
  );
}

function DatabasePanel({ database }: { readonly database: Status['database'] }) {
  const { oldestTransactionSeconds: transaction, replicaLagSeconds, slotRetainedBytes } = database;
  return (
    <Panel title="PostgreSQL">
      <DescriptionList
        items={[
          ['Connections', connectionsOf(database)],
          ['Sessions that wait for a lock', formatNumber(database.lockWaitCount)],
          ['Longest wait for a lock', ageOrNone(database.oldestLockWaitSeconds)],
          [
            'Oldest transaction',
            transaction > LONG_TRANSACTION_SECONDS ? verdict(false, ageOf(transaction)) : ageOrNone(transaction),
          ],
          !database.seesOthers && ['Sessions of others', 'Not visible: the role of the API lacks pg_monitor'],
          ['Size', sizeOf(database.databaseBytes)],
          replicaLagSeconds !== null && ['Replica behind', ageOrNone(replicaLagSeconds)],
          slotRetainedBytes !== null && ['Log kept for slots', sizeOf(slotRetainedBytes)],
          database.inactiveSlotCount > 0 && ['Slots that nothing reads', formatNumber(database.inactiveSlotCount)],
        ]}
      />
    </Panel>
  );
}

function TemporalPanel({ temporal: { state, taskQueues } }: { readonly temporal: Status['temporal'] }) {
  return (
    <Panel title="Temporal">
      {taskQueues === null ? (
        <p>
          Temporal does not answer ({state}). First deliveries and short retries continue. Later retries and replays
          wait; changes of webhooks, tests and sign-in codes are refused.
        </p>
      ) : (
        <Table
          caption="Task queues"
          columns={queueColumns}
          rows={taskQueues}
          keyOf={({ queue, kind }) => `${queue} ${kind}`}
        />
      )}
    </Panel>
  );
}

const queueColumns: readonly Column<Schema<'TaskQueueStatus'>>[] = [
  { head: 'Queue', cell: ({ queue }) => <code>{queue}</code> },
  { head: 'Tasks', cell: ({ kind }) => kind },
  { head: 'Waiting', align: 'end', cell: ({ waitingCount }) => formatNumber(waitingCount) },
  {
    head: 'Oldest',
    cell: ({ oldestSeconds: seconds }) =>
      seconds > WAITING_TASK_SECONDS ? verdict(false, ageOf(seconds)) : ageOrNone(seconds),
  },
  {
    head: 'Pollers',
    align: 'end',
    cell: ({ pollerCount }) => (pollerCount > 0 ? pollerCount : verdict(false, 'none')),
  },
  { head: 'Last polled', cell: ({ polledSeconds }) => (polledSeconds === null ? '' : `${ageOf(polledSeconds)} ago`) },
];

/** Of the deliveries that nothing holds back. */
function oldestSeconds({ oldest, overdueSeconds }: Status['backlog']): number {
  const pending = oldest.filter(({ status, circuit }) => status === 'pending' && circuit === 'closed');
  return Math.max(overdueSeconds, ...pending.map(({ seconds }) => seconds));
}

function connectionsOf({ connectionCount, connectionLimit }: Status['database']): string {
  return `${formatNumber(connectionCount)} of ${formatNumber(connectionLimit)} connections`;
}

const ageOf = (seconds: number): string => formatDuration(seconds * 1_000);
const ageOrNone = (seconds: number): string => (seconds === 0 ? 'none' : ageOf(seconds));
const sizeOf = (bytes: number): string => `${formatNumber(Math.round(bytes / 1_000_000))} MB`;
