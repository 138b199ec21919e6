import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { containerStatuses } from '../../../contract/containers/status.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { navigate, query, setQuery } from '../../routes/router.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { type Container, containerTones, isContainerInProgress } from './container-status.ts';
import { CreateContainerDialog } from './create-container-dialog.tsx';

const REFRESH_MS = 4_000;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/containers'>) {
  return (
    <ChannelLayout params={params} about="Containers">
      {({ type }) =>
        type === 'photoapp' ? (
          <Containers workspaceId={params.ws} channelId={params.ch} />
        ) : (
          <p class="notice">Only photoapp channels have media containers.</p>
        )
      }
    </ChannelLayout>
  );
}

function Containers({ workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string }) {
  const { organizationId } = useOrganization();
  const [isCreating, setCreating] = useState(false);
  const status = containerStatuses.find((one) => one === query.value.get('status'));
  const pages = useContainers(channelId, status);
  const at = (below: string) => workspacePath(organizationId, workspaceId, `channels/${channelId}/${below}`);
  return (
    <>
      <FilterBar status={status}>
        <CreateButton onClick={() => setCreating(true)} />
      </FilterBar>
      <List
        pages={pages}
        caption="Media containers"
        columns={columnsFor((id) => at(`containers/${id}`))}
        keyOf={({ containerId }) => containerId}
        one="container"
        many="containers"
        empty={
          <EmptyState
            title={status ? 'No matching containers' : 'No containers yet'}
            command={`channels containers create ${channelId} --type IMAGE --image-url https://…`}
          >
            A container is a post in preparation. The platform fetches and processes the media; then you can publish it.
          </EmptyState>
        }
      />
      {isCreating && (
        <CreateContainerDialog
          channelId={channelId}
          onCreated={(id) => navigate(at(`containers/${id}`))}
          onScheduled={() => navigate(at('scheduled-posts'))}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

function CreateButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button tone="primary" onClick={onClick}>
      <Icon name="plus" /> Create container
    </Button>
  );
}

function FilterBar({
  status,
  children,
}: {
  readonly status: Container['status'] | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="filter-bar">
      <SelectField
        label="Status"
        value={status ?? ''}
        options={[['', 'Any'], ...containerStatuses.map((one) => [one, one] as const)]}
        onValue={(chosen) => setQuery({ status: chosen })}
      />
      <div class="at-end">{children}</div>
    </div>
  );
}

function useContainers(channelId: string, status: Container['status'] | undefined) {
  const pages = usePages(
    async (cursor) => {
      const filters = { ...(status && { status }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { ch: channelId }, query: filters };
      const { containers, nextCursor } = await api.get('/channels/{ch}/photoapp/containers', { params });
      return { items: containers, nextCursor };
    },
    [channelId, status],
  );
  const isFirstPage = (pages.items?.length ?? 0) <= 50;
  useRefresh(() => void pages.reload(), isFirstPage && pages.items?.some(isContainerInProgress) ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (pathOf: (id: string) => string): readonly Column<Container>[] => [
  { head: 'Container', cell: ({ containerId }) => <a href={pathOf(containerId)}>{containerId}</a> },
  { head: 'Type', cell: ({ mediaType }) => mediaType },
  {
    head: 'Status',
    cell: ({ status, statusDetail }) => (
      <>
        <Badge tone={containerTones[status]}>{status}</Badge> {statusDetail}
      </>
    ),
  },
  { head: 'Caption', isWide: true, cell: ({ caption }) => caption && <span class="clipped">{caption}</span> },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Published', cell: ({ publishedAt }) => publishedAt && <RelativeTime at={publishedAt} /> },
];
