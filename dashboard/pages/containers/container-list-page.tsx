import { containerStatuses } from '../../../contract/containers/status.ts';
import { usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { type Column, List, QuerySelect } from '../../kit/lists.tsx';
import { Badge, CreateButton, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { navigate, query } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { ChannelLayout, type ChannelParams } from '../channels/channel-layout.tsx';
import { type Container, containerTones, isContainerInProgress } from './container-status.ts';
import { CreateContainerDialog } from './create-container-dialog.tsx';

const REFRESH_MS = 4_000;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/containers'>) {
  return (
    <ChannelLayout params={params} about="Containers">
      {({ type }) =>
        type === 'photoapp' ? (
          <Containers {...params} />
        ) : (
          <p class="notice">Only photoapp channels have media containers.</p>
        )
      }
    </ChannelLayout>
  );
}

function Containers({ ch }: ChannelParams) {
  const place = usePlace();
  const dialog = useDialog();
  const status = containerStatuses.find((one) => one === query.value.get('status'));
  const pages = usePages(
    ['containers', ch, status],
    (page) =>
      api.get('/channels/{ch}/photoapp/containers', {
        params: { path: { ch }, query: { ...(status && { status }), ...page } },
      }),
    (items, isFirstPage) => isFirstPage && items.some(isContainerInProgress) && REFRESH_MS,
  );
  const at = (below: string) => place.at(`channels/${ch}/${below}`);
  const create = () =>
    dialog.open((close) => (
      <CreateContainerDialog
        channelId={ch}
        onCreated={(id) => navigate(at(`containers/${id}`))}
        onScheduled={() => navigate(at('scheduled-posts'))}
        onClose={close}
      />
    ));
  return (
    <>
      <div class="filter-bar">
        <QuerySelect name="status" label="Status" values={containerStatuses} />
        <div class="at-end">
          <CreateButton tone="primary" onClick={create}>
            Create container
          </CreateButton>
        </div>
      </div>
      <List
        pages={pages}
        caption="Media containers"
        columns={columnsFor((id) => at(`containers/${id}`))}
        keyOf={({ containerId }) => containerId}
        one="container"
        empty={
          <EmptyState
            title={status ? 'No matching containers' : 'No containers yet'}
            command={`channels containers create ${ch} --type IMAGE --image-url https://…`}
          >
            A container is a post in preparation. The platform fetches and processes the media; then you can publish it.
          </EmptyState>
        }
      />
      {dialog.shown}
    </>
  );
}

const columnsFor = (pathOf: (id: string) => string): readonly Column<Container>[] => [
  { head: 'Container', cell: ({ containerId }) => <a href={pathOf(containerId)}>{containerId}</a> },
  { head: 'Type', cell: ({ mediaType }) => mediaType },
  { head: 'Status', cell: ({ status }) => <Badge tone={containerTones[status]}>{status}</Badge> },
  { head: 'Caption', isWide: true, cell: ({ caption }) => caption && <span class="clipped">{caption}</span> },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Published', cell: ({ publishedAt }) => publishedAt && <RelativeTime at={publishedAt} /> },
];
