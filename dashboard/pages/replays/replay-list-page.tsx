import { Badge } from '../../kit/badge.tsx';
import { numberText } from '../../kit/texts/counted.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { type PlaceParams, type ReplayPlace, useReplayPlace } from './replay-place.ts';
import { isMoving, type Replay, replayTones } from './replay-words.ts';
import { ScopeView } from './scope-view.tsx';

const REFRESH_MS = 3_000;

/** What was sent again in a workspace, or in a whole organization. */
export function Page({ params }: { readonly params: PlaceParams }) {
  const place = useReplayPlace(params);
  const pages = useReplays(place);
  const create = (
    <a class="button primary" href={place.pathOf('replays/new')}>
      <Icon name="plus" /> New replay
    </a>
  );
  return (
    <>
      <PageHeader title="Replays" windowTitle={`Replays of ${place.name}`} actions={create}>
        Sends old events again: after a receiver lost some, or for a new one that has to catch up.
        {place.workspaceId === null && ' Those of single workspaces are listed, too.'}
      </PageHeader>
      <List
        pages={pages}
        caption="Replays"
        columns={columnsFor(place)}
        keyOf={({ replayId }) => replayId}
        one="replay"
        many="replays"
        empty={
          <EmptyState
            title="No replay yet"
            action={create}
            command={`channels replays create --scope ${place.scope} --since 24h --dry-run`}
          >
            Choose a span of time and which deliveries, count them first, then send them again at a rate that the
            receiver can take.
          </EmptyState>
        }
      />
    </>
  );
}

/** The replays of a place, looked at again while one of them moves. */
function useReplays({ client, scope }: ReplayPlace) {
  const pages = usePages(
    async (cursor) => {
      const params = { query: { scope, ...(cursor !== undefined && { cursor }) } };
      const { replays, nextCursor } = await client.get('/replays', { params });
      return { items: replays, nextCursor };
    },
    [scope],
  );
  const isFirstPage = (pages.items?.length ?? 0) <= 50;
  useRefresh(() => void pages.reload(), isFirstPage && pages.items?.some(isMoving) ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (place: ReplayPlace): readonly Column<Replay>[] => [
  { head: 'Replay', cell: ({ replayId }) => <a href={place.pathOf(`replays/${replayId}`)}>{replayId}</a> },
  { head: 'State', cell: ({ status }) => <Badge tone={replayTones[status]}>{status}</Badge> },
  {
    head: 'Progress',
    isWide: true,
    cell: ({ replayId, sent, matched }) => (
      <div class="progress-cell">
        <ProgressBar label={`Progress of ${replayId}`} value={sent} max={matched} />
        <span>
          {numberText(sent)} of {numberText(matched)}
        </span>
      </div>
    ),
  },
  { head: 'Of', cell: ({ scope }) => <ScopeView scope={scope} place={place} /> },
  { head: 'Delivered', align: 'end', cell: ({ delivered }) => numberText(delivered) },
  { head: 'Failed', align: 'end', cell: ({ failed }) => numberText(failed) },
  { head: 'Begun', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
