import { Badge } from '../../kit/badge.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import type { CreateTone } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { may, mustNameChannel, portal } from '../../session/portal.ts';
import { ChannelChoice } from '../portal/channel-choice.tsx';
import { type ReplayContextParams, type ReplayContext, useReplayContext } from './replay-context.ts';
import { isInProgress, type Replay, replayTones } from './replay-status.ts';
import { ScopeView } from './scope-view.tsx';

const REFRESH_MS = 3_000;

export function Page({ params }: { readonly params: ReplayContextParams }) {
  const context = useReplayContext(params);
  const { workspaceId } = context;
  const pages = useReplays(context);
  const create = (tone: CreateTone) =>
    may('replays.manage') && (
      <a class={`button ${tone}`} href={context.pathOf('replays/new')}>
        <Icon name="plus" /> Create replay
      </a>
    );
  return (
    <>
      <PageHeader title="Replays" windowTitle={`Replays · ${context.name}`} actions={create('primary')}>
        Send past events again, for example after a receiver outage or to backfill a new receiver.
        {workspaceId === null && ' The list includes replays of single workspaces.'}
      </PageHeader>
      {workspaceId !== null && mustNameChannel() && <ChannelChoice workspaceId={workspaceId} />}
      <List
        pages={pages}
        caption="Replays"
        columns={columnsFor(context)}
        keyOf={({ replayId }) => replayId}
        one="replay"
        many="replays"
        empty={
          <EmptyState
            title="No replays yet"
            action={create('plain')}
            {...(!portal.value && {
              command: `channels replays create --scope ${context.scope} --since 24h --dry-run`,
            })}
          >
            Choose a time range and delivery statuses, count the events, then send them at a rate that your receiver can
            handle.
          </EmptyState>
        }
      />
    </>
  );
}

function useReplays({ client, scope }: ReplayContext) {
  const pages = usePages(
    async (cursor) => {
      const params = { query: { scope, ...(cursor !== undefined && { cursor }) } };
      const { replays, nextCursor } = await client.get('/replays', { params });
      return { items: replays, nextCursor };
    },
    [scope],
  );
  const isFirstPage = (pages.items?.length ?? 0) <= 50;
  useRefresh(() => void pages.reload(), isFirstPage && pages.items?.some(isInProgress) ? REFRESH_MS : null);
  return pages;
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
