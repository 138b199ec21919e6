import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { toast } from '../../kit/toast.tsx';
import type { Tone } from '../../kit/tone.ts';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { parseLocalTime } from '../audit/parse-local-time.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { localTimeOf } from '../operations/scheduled-message-status.ts';

type ScheduledPost = Schema<'ScheduledPost'>;

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
  readonly what: 'move' | 'cancel';
  readonly post: ScheduledPost;
}

function ScheduledPosts({ workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string }) {
  const { organizationId } = useOrganization();
  const [opened, setOpened] = useState<Opened>();
  const pages = useScheduledPosts(channelId);
  const pathOf = (id: string) => workspacePath(organizationId, workspaceId, `channels/${channelId}/containers/${id}`);
  const close = () => {
    setOpened(undefined);
    void pages.reload();
  };
  return (
    <>
      <List
        pages={pages}
        caption="Scheduled posts"
        columns={columnsFor(pathOf, setOpened)}
        keyOf={({ scheduledPostId }) => scheduledPostId}
        one="post"
        many="posts"
        empty={
          <EmptyState
            title="No scheduled posts yet"
            command={`channels containers create ${channelId} --type IMAGE --image-url https://… --publish-at 2h`}
          >
            Enter a time when you create a container. The post is created and published then.
          </EmptyState>
        }
      />
      {opened?.what === 'move' && <MoveDialog channelId={channelId} post={opened.post} onClose={close} />}
      {opened?.what === 'cancel' && <CancelDialog channelId={channelId} post={opened.post} onClose={close} />}
    </>
  );
}

interface PostDialogProps {
  readonly channelId: string;
  readonly post: ScheduledPost;
  readonly onClose: () => void;
}

function MoveDialog({ channelId: ch, post, onClose }: PostDialogProps) {
  const [time, setTime] = useState(localTimeOf(post.publishAt));
  const publishAt = parseLocalTime(time);
  const action = useAction(async () => {
    const params = { path: { ch, sp: post.scheduledPostId } };
    const body = { publishAt: publishAt ?? '' };
    await api.patch('/channels/{ch}/photoapp/scheduled-posts/{sp}', { params, body });
    toast('Post moved.');
    onClose();
  });
  return (
    <Dialog title="Move scheduled post" onClose={onClose}>
      <Form action={action} submit="Save changes" disabled={publishAt === null} onCancel={onClose}>
        <TextField
          label="Publish at"
          type="datetime-local"
          hint="In your time zone, at most 90 days ahead."
          required
          value={time}
          onValue={setTime}
        />
      </Form>
    </Dialog>
  );
}

function CancelDialog({ channelId: ch, post, onClose }: PostDialogProps) {
  const cancel = async () => {
    const params = { path: { ch, sp: post.scheduledPostId } };
    await api.post('/channels/{ch}/photoapp/scheduled-posts/{sp}/cancel', { params });
    toast('Post cancelled.');
  };
  return (
    <ConfirmDialog title="Cancel post" submit="Cancel post" dismiss="Keep" onConfirm={cancel} onClose={onClose}>
      <p>The post of {formatExactTime(new Date(post.publishAt))} is not published.</p>
    </ConfirmDialog>
  );
}

function useScheduledPosts(channelId: string) {
  const pages = usePages(
    async (cursor) => {
      const params = { path: { ch: channelId }, query: cursor === undefined ? {} : { cursor } };
      const { scheduledPosts, nextCursor } = await api.get('/channels/{ch}/photoapp/scheduled-posts', { params });
      return { items: scheduledPosts, nextCursor };
    },
    [channelId],
  );
  const isOpen = pages.items?.some(({ status }) => status === 'scheduled');
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
      if (status === 'started' && containerId !== null) return <a href={pathOf(containerId)}>{containerId}</a>;
      if (status !== 'scheduled') return null;
      const button = (words: string, what: Opened['what']) => (
        <Button small tone="quiet" aria-label={`${words} ${scheduledPostId}`} onClick={() => open({ what, post })}>
          {words}
        </Button>
      );
      return (
        <div class="actions">
          {button('Move', 'move')}
          {button('Cancel', 'cancel')}
        </div>
      );
    },
  },
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '–');
