import { Badge } from '../../kit/badge.tsx';
import { numberText } from '../../kit/counted.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/table.tsx';
import { usePages } from '../../kit/use-pages.ts';
import { useRefresh } from '../../kit/use-refresh.ts';
import { apiIn } from '../../shell/api.ts';
import { useOrganization, useWorkspace } from '../../shell/page-outlet.tsx';
import { workspacePath } from '../../shell/paths.ts';
import { isMoving, type Replay, replayTones, scopeText } from './replay-words.ts';

const REFRESH_MS = 3_000;

/** What was sent again. */
export function Page() {
  const { organizationId } = useOrganization();
  const { id, name } = useWorkspace();
  const pages = useReplays(id);
  const at = (page: string) => workspacePath(organizationId, id, page);
  const create = (
    <a class="button primary" href={at('replays/new')}>
      <Icon name="plus" /> New replay
    </a>
  );
  return (
    <>
      <PageHeader title="Replays" windowTitle={`Replays of ${name}`} actions={create}>
        Sends old events again: after a receiver lost some, or for a new one that has to catch up.
      </PageHeader>
      <List
        pages={pages}
        caption="Replays"
        columns={columnsFor(at)}
        keyOf={({ replayId }) => replayId}
        one="replay"
        many="replays"
        empty={
          <EmptyState
            title="No replay yet"
            action={create}
            command={`channels replays create --scope workspace:${id} --since 24h --dry-run`}
          >
            Choose a span of time and which deliveries, count them first, then send them again at a rate that the
            receiver can take.
          </EmptyState>
        }
      />
    </>
  );
}

/** The replays of a workspace, looked at again while one of them moves. */
function useReplays(id: string) {
  const pages = usePages(
    async (cursor) => {
      const params = { query: { ...(cursor !== undefined && { cursor }) } };
      const { replays, nextCursor } = await apiIn(id).get('/replays', { params });
      return { items: replays, nextCursor };
    },
    [id],
  );
  const isFirstPage = (pages.items?.length ?? 0) <= 50;
  useRefresh(() => void pages.reload(), isFirstPage && pages.items?.some(isMoving) ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (at: (page: string) => string): readonly Column<Replay>[] => [
  { head: 'Replay', cell: ({ replayId }) => <a href={at(`replays/${replayId}`)}>{replayId}</a> },
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
  { head: 'Of', cell: ({ scope }) => scopeText(scope) },
  { head: 'Delivered', align: 'end', cell: ({ delivered }) => numberText(delivered) },
  { head: 'Failed', align: 'end', cell: ({ failed }) => numberText(failed) },
  { head: 'Begun', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
