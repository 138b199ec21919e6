import { useState } from 'preact/hooks';
import { scheduledPostStatuses } from '../../../contract/containers/scheduled-post.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import type { Tone } from '../../kit/tone.ts';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { query, setQuery } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import {
  CancelPostDialog,
  ChangePostDialog,
  PostDetailsDialog,
  type ScheduledPost,
} from './scheduled-post-dialogs.tsx';

const REFRESH_MS = 5_000;
const tones: Readonly<Record<ScheduledPost['status'], Tone>> = {
  scheduled: 'info',
  started: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/scheduled-posts'>) {
  return (
    <ChannelLayout params={params} about="Scheduled posts">
      {() => <ScheduledPosts workspaceId={params.ws} channelId={params.ch} />}
    </ChannelLayout>
  );
}

interface Opened {
  readonly what: 'show' | 'change' | 'cancel';
  readonly post: ScheduledPost;
}

function ScheduledPosts({ workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string }) {
  const { organizationId } = useOrganization();
  const [opened, setOpened] = useState<Opened>();
  const status = scheduledPostStatuses.find((one) => one === query.value.get('status'));
  const pages = useScheduledPosts(channelId, status);
  const pathOf = (id: string) => workspacePath(organizationId, workspaceId, `channels/${channelId}/containers/${id}`);
  const close = () => {
    setOpened(undefined);
    void pages.reload();
  };
  return (
    <>
      <div class="filter-bar">
        <SelectField
          label="Status"
          value={status ?? ''}
          options={[['', 'Any'], ...scheduledPostStatuses.map((one) => [one, one] as const)]}
          onValue={(chosen) => setQuery({ status: chosen })}
        />
      </div>
      <List
        pages={pages}
        caption="Scheduled posts"
        columns={columnsFor(pathOf, setOpened)}
        keyOf={({ scheduledPostId }) => scheduledPostId}
        one="post"
        many="posts"
        empty={
          <EmptyState
            title={status ? 'No matching posts' : 'No scheduled posts yet'}
            command={`channels containers create ${channelId} --type IMAGE --image-url https://… --publish-at 2h`}
          >
            Enter a time when you create a container. The post is created and published then.
          </EmptyState>
        }
      />
      {opened?.what === 'show' && <PostDetailsDialog post={opened.post} onClose={close} />}
      {opened?.what === 'change' && <ChangePostDialog channelId={channelId} post={opened.post} onClose={close} />}
      {opened?.what === 'cancel' && <CancelPostDialog channelId={channelId} post={opened.post} onClose={close} />}
    </>
  );
}

function useScheduledPosts(channelId: string, status: ScheduledPost['status'] | undefined) {
  const pages = usePages(
    async (cursor) => {
      const filters = { ...(status && { status }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { ch: channelId }, query: filters };
      const { scheduledPosts, nextCursor } = await api.get('/channels/{ch}/photoapp/scheduled-posts', { params });
      return { items: scheduledPosts, nextCursor };
    },
    [channelId, status],
  );
  const isOpen = pages.items?.some((one) => one.status === 'scheduled');
  useRefresh(() => void pages.reload(), isOpen && (pages.items?.length ?? 0) <= 50 ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (
  pathOf: (containerId: string) => string,
  open: (opened: Opened) => void,
): readonly Column<ScheduledPost>[] => [
  {
    head: 'Publish at',
    cell: ({ publishAt }) => <time dateTime={publishAt}>{formatExactTime(new Date(publishAt))}</time>,
  },
  { head: 'Type', cell: ({ container }) => textOf(container?.['mediaType']) },
  { head: 'Caption', isWide: true, cell: ({ container }) => shorten(textOf(container?.['caption'])) },
  {
    head: 'Status',
    isWide: true,
    cell: ({ status, statusDetail }) => (
      <>
        <Badge tone={tones[status]}>{status}</Badge> {statusDetail}
      </>
    ),
  },
  { head: 'Post', cell: ({ scheduledPostId }) => <code>{scheduledPostId}</code> },
  {
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (post) => {
      const { status, containerId, scheduledPostId } = post;
      const button = (words: string, what: Opened['what']) => (
        <Button small tone="quiet" aria-label={`${words} ${scheduledPostId}`} onClick={() => open({ what, post })}>
          {words}
        </Button>
      );
      return (
        <div class="actions">
          {status === 'started' && containerId !== null && <a href={pathOf(containerId)}>{containerId}</a>}
          {button('Show', 'show')}
          {status === 'scheduled' && button('Change', 'change')}
          {status === 'scheduled' && button('Cancel', 'cancel')}
        </div>
      );
    },
  },
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '–');
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
