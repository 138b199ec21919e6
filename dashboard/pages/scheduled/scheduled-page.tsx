import { useState } from 'preact/hooks';
import type { ScheduledKind } from '../../../contract/scheduled/scheduled.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { DescriptionList } from '../../kit/description-list.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { Icon } from '../../kit/icon.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { List, Loading } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { path, query, setQuery } from '../../routes/router.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { ChangePostDialog } from './change-post-dialog.tsx';
import { kinds, type Scheduled, tones } from './kinds.ts';
import { MessageDialog } from './message-dialog.tsx';

const REFRESH_MS = 5_000;

/** Of messages and of posts, by its address. */
export function Page({ params }: Pick<PageProps<'/:org/:ws/:ch'>, 'params'>) {
  const kind = path.value.endsWith('/scheduled-posts') ? 'post' : 'message';
  return (
    <ChannelLayout params={params} about={`Scheduled ${kind}s`}>
      {() => <ScheduledList key={kind} kind={kind} workspaceId={params.ws} channelId={params.ch} />}
    </ChannelLayout>
  );
}

type Act = 'show' | 'change' | 'cancel';
type Opened = { readonly what: Act; readonly scheduled: Scheduled } | { readonly what: 'new' };

interface Place {
  readonly kind: ScheduledKind;
  readonly channelId: string;
}

function ScheduledList({ kind, workspaceId, channelId }: Place & { readonly workspaceId: string }) {
  const { organizationId } = useOrganization();
  const [opened, setOpened] = useState<Opened>();
  const { statuses } = kinds[kind];
  const status = statuses.find((one) => one === query.value.get('status'));
  const pages = useScheduled({ kind, channelId }, status);
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
          options={[['', 'Any'], ...statuses.map((one) => [one, one] as const)]}
          onValue={(chosen) => setQuery({ status: chosen })}
        />
        {kind === 'message' && (
          <div class="at-end">
            <Button tone="primary" onClick={() => setOpened({ what: 'new' })}>
              <Icon name="plus" /> Schedule message
            </Button>
          </div>
        )}
      </div>
      <List
        pages={pages}
        caption={`Scheduled ${kind}s`}
        columns={columnsFor(kind, { pathOf, open: setOpened })}
        keyOf={({ id }) => id}
        one={kind}
        many={`${kind}s`}
        empty={<Empty kind={kind} channelId={channelId} isFiltered={status !== undefined} />}
      />
      {opened && <OpenedDialog kind={kind} channelId={channelId} opened={opened} onClose={close} />}
    </>
  );
}

function Empty({ kind, channelId, isFiltered }: Place & { readonly isFiltered: boolean }) {
  const title = isFiltered ? `No matching ${kind}s` : `No scheduled ${kind}s yet`;
  return kind === 'message' ? (
    <EmptyState
      title={title}
      command={`channels messages send ${channelId} --to 15551230000 --text Hello --send-at 2h`}
    >
      A scheduled message is sent once, at its time. Until then you can change and cancel it.
    </EmptyState>
  ) : (
    <EmptyState
      title={title}
      command={`channels containers create ${channelId} --type IMAGE --image-url https://… --publish-at 2h`}
    >
      Enter a time when you create a container. The post is created and published then.
    </EmptyState>
  );
}

interface OpenedDialogProps extends Place {
  readonly opened: Opened;
  readonly onClose: () => void;
}

function OpenedDialog({ kind, channelId: ch, opened, onClose }: OpenedDialogProps) {
  if (opened.what === 'new') return <MessageDialog channelId={ch} onClose={onClose} />;
  const { id, dueAt } = opened.scheduled;
  if (opened.what !== 'cancel')
    return <ReadDialog kind={kind} channelId={ch} id={id} what={opened.what} onClose={onClose} />;
  const cancel = async () => {
    await kinds[kind].cancel(ch, id);
    toast(`${kind === 'message' ? 'Message' : 'Post'} cancelled.`);
  };
  const act = `Cancel ${kind}`;
  return (
    <ConfirmDialog title={act} submit={act} dismiss="Keep" onConfirm={cancel} onClose={onClose}>
      <p>
        The {kind} of {formatExactTime(new Date(dueAt))} {kinds[kind].cancelled}.
      </p>
    </ConfirmDialog>
  );
}

interface ReadDialogProps extends Place {
  readonly id: string;
  readonly what: 'show' | 'change';
  readonly onClose: () => void;
}

/** Reads the content first, which the list may lack. */
function ReadDialog({ kind, channelId: ch, id, what, onClose }: ReadDialogProps) {
  const { value, error } = useLoad(() => kinds[kind].get(ch, id), [kind, ch, id]);
  if (value && what === 'change') {
    if (value.message) return <MessageDialog channelId={ch} message={value.message} onClose={onClose} />;
    if (value.post) return <ChangePostDialog channelId={ch} post={value.post} onClose={onClose} />;
  }
  const title = what === 'show' ? `Scheduled ${kind} ${id}` : `Change scheduled ${kind}`;
  return (
    <Dialog title={title} isWide={what === 'show'} onClose={onClose}>
      <ErrorBox error={error} />
      {!value && !error && <Loading />}
      {value && <Details kind={kind} scheduled={value} />}
      {what === 'show' && (
        <div class="form-actions">
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function Details({ kind, scheduled }: { readonly kind: ScheduledKind; readonly scheduled: Scheduled }) {
  const { dueAt, status, statusDetail, content, createdBy, createdAt, endedAt, message } = scheduled;
  return (
    <>
      <DescriptionList
        items={[
          [kinds[kind].due, timeOf(dueAt)],
          ['Status', statusDetail === null ? status : `${status}: ${statusDetail}`],
          ...(message
            ? ([
                ['To', message.recipient ?? '–'],
                ['Platform message ID', message.platformMessageId ?? '–'],
              ] as const)
            : []),
          ['Scheduled by', <code>{createdBy}</code>],
          ['Scheduled', timeOf(createdAt)],
          ['Ended', timeOf(endedAt)],
        ]}
      />
      {content ? <JsonView text={JSON.stringify(content)} what={kind} /> : <p>The content is erased.</p>}
    </>
  );
}

const timeOf = (instant: string | null): string => (instant === null ? '–' : formatExactTime(new Date(instant)));

function useScheduled({ kind, channelId }: Place, status: string | undefined) {
  const pages = usePages(
    async (cursor) => {
      const filters = {
        ...(status !== undefined && { status: status as never }),
        ...(cursor !== undefined && { cursor }),
      };
      return await kinds[kind].list(channelId, filters);
    },
    [kind, channelId, status],
  );
  const isOpen = pages.items?.some((one) => one.status === 'scheduled' || one.status === 'sending');
  useRefresh(() => void pages.reload(), isOpen && (pages.items?.length ?? 0) <= 50 ? REFRESH_MS : null);
  return pages;
}

interface Actions {
  readonly pathOf: (containerId: string) => string;
  readonly open: (opened: Opened) => void;
}

const columnsFor = (kind: ScheduledKind, actions: Actions): readonly Column<Scheduled>[] => [
  { head: kinds[kind].due, cell: ({ dueAt }) => <time dateTime={dueAt}>{formatExactTime(new Date(dueAt))}</time> },
  ...(kind === 'message' ? messageColumns : postColumns),
  {
    head: 'Status',
    isWide: true,
    cell: ({ status, statusDetail }) => (
      <>
        <Badge tone={tones[status]}>{status}</Badge> {statusDetail}
      </>
    ),
  },
  { head: kind === 'message' ? 'Message' : 'Post', cell: ({ id }) => <code>{id}</code> },
  {
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (scheduled) => <RowActions scheduled={scheduled} {...actions} />,
  },
];

const messageColumns: readonly Column<Scheduled>[] = [{ head: 'To', cell: ({ message }) => message?.recipient ?? '–' }];
const postColumns: readonly Column<Scheduled>[] = [
  { head: 'Type', cell: ({ content }) => textOf(content?.['mediaType']) },
  { head: 'Caption', isWide: true, cell: ({ content }) => shorten(textOf(content?.['caption'])) },
];

function RowActions({ scheduled, pathOf, open }: Actions & { readonly scheduled: Scheduled }) {
  const { id, status, post } = scheduled;
  const containerId = status === 'started' && post ? post.containerId : null;
  const button = (words: string, what: Act) => (
    <Button small tone="quiet" aria-label={`${words} ${id}`} onClick={() => open({ what, scheduled })}>
      {words}
    </Button>
  );
  return (
    <div class="actions">
      {containerId !== null && <a href={pathOf(containerId)}>{containerId}</a>}
      {button('Show', 'show')}
      {status === 'scheduled' && button('Change', 'change')}
      {status === 'scheduled' && button('Cancel', 'cancel')}
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '–');
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
