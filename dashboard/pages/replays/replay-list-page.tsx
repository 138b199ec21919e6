import { usePages } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, EmptyState, ProgressBar, RelativeTime } from '../../kit/parts.tsx';
import { may, mustNameChannel, portal } from '../../session/portal.ts';
import { AllWorkspacesTabs } from '../organizations/all-workspaces-tabs.tsx';
import { ChannelChoice } from '../portal/channel-choice.tsx';
import { type ReplayContext, type ReplayContextParams, ScopeView, useReplayContext } from './replay-context.tsx';
import { isInProgress, type Replay, replayTones } from './replay-status.ts';

const REFRESH_MS = 3_000;

export function Page({ params }: { readonly params: ReplayContextParams }) {
  const context = useReplayContext(params);
  const { workspaceId, client, scope, name, pathOf } = context;
  const pages = usePages(
    ['replays', scope],
    (query) => client.get('/replays', { params: { query: { scope, ...query } } }),
    (items, isFirstPage) => isFirstPage && items.some(isInProgress) && REFRESH_MS,
  );
  const create = (tone: 'primary' | 'plain') =>
    may('replays.manage') && (
      <a class={`button ${tone}`} href={pathOf('replays/new')}>
        <Icon name="plus" /> Create replay
      </a>
    );
  return (
    <ListPage
      title="Replays"
      windowTitle={`Replays · ${name}`}
      about={
        <>
          Send past events again, for example after a receiver outage or to backfill a new receiver.
          {workspaceId === null && ' The list includes replays of single workspaces.'}
        </>
      }
      actions={create('primary')}
      filters={
        portal.value ? (
          workspaceId !== null && mustNameChannel() && <ChannelChoice workspaceId={workspaceId} />
        ) : (
          <AllWorkspacesTabs page="replays" isForAdmins />
        )
      }
      pages={pages}
      columns={columnsFor(context)}
      keyOf={({ replayId }) => replayId}
      one="replay"
      empty={
        <EmptyState
          title="No replays yet"
          action={create('plain')}
          command={!portal.value && `channels replays create --scope ${scope} --since 24h --dry-run`}
        >
          Choose a time range and delivery statuses, count the events, then send them at a rate that your receiver can
          handle.
        </EmptyState>
      }
    />
  );
}

const columnsFor = (context: ReplayContext): readonly Column<Replay>[] => [
  { head: 'Replay', cell: ({ replayId }) => <a href={context.pathOf(`replays/${replayId}`)}>{replayId}</a> },
  { head: 'Status', cell: ({ status }) => <Badge tone={replayTones[status]}>{status}</Badge> },
  {
    head: 'Progress',
    isWide: true,
    cell: ({ replayId, sent, matched }) => (
      <div class="progress-cell">
        <ProgressBar label={`Progress of ${replayId}`} value={sent} max={matched} />
        <span>
          {formatNumber(sent)} of {formatNumber(matched)}
        </span>
      </div>
    ),
  },
  { head: 'Scope', cell: ({ scope }) => <ScopeView scope={scope} context={context} /> },
  { head: 'Delivered', align: 'end', cell: ({ delivered }) => formatNumber(delivered) },
  { head: 'Failed', align: 'end', cell: ({ failed }) => formatNumber(failed) },
  { head: 'Started', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
