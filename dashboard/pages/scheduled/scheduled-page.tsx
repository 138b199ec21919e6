import type { ScheduledKind } from '../../../contract/scheduled/scheduled.ts';
import { useLoad, usePages } from '../../kit/calls.ts';
import { Dialog, DoneDialog, useDialog } from '../../kit/dialogs.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { Icon } from '../../kit/icon.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { type Column, List, QuerySelect } from '../../kit/lists.tsx';
import { Badge, Button, DescriptionList, EmptyState, ErrorBox, Loading } from '../../kit/parts.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { path, query } from '../../routes/router.ts';
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

interface Place {
  readonly kind: ScheduledKind;
  readonly channelId: string;
}

function ScheduledList({ kind, workspaceId, channelId: ch }: Place & { readonly workspaceId: string }) {
  const { organizationId } = useOrganization();
  const dialog = useDialog();
  const { statuses, list, cancel, cancelled } = kinds[kind];
  const status = statuses.find((one) => one === query.value.get('status'));
  const pages = usePages(
    ['items', 'scheduled', kind, ch, status],
    (page) => list(ch, { ...page, ...(status !== undefined && { status: status as never }) }),
    (items, isFirstPage) =>
      isFirstPage && items.some((one) => one.status === 'scheduled' || one.status === 'sending') && REFRESH_MS,
  );
  const read = (id: string, what: 'show' | 'change') =>
    dialog.open((close) => <ReadDialog kind={kind} channelId={ch} id={id} what={what} onClose={close} />);
  const actions: Actions = {
    pathOf: (id) => workspacePath(organizationId, workspaceId, `channels/${ch}/containers/${id}`),
    show: ({ id }) => read(id, 'show'),
    change: ({ id }) => read(id, 'change'),
    cancel: ({ id, dueAt }) =>
      dialog.confirm({
        title: `Cancel ${kind}`,
        submit: `Cancel ${kind}`,
        dismiss: 'Keep',
        about: `The ${kind} of ${formatExactTime(new Date(dueAt))} ${cancelled}.`,
        act: () => cancel(ch, id),
        done: `${kind === 'message' ? 'Message' : 'Post'} cancelled.`,
      }),
  };
  return (
    <>
      <div class="filter-bar">
        <QuerySelect name="status" label="Status" values={statuses} />
        {kind === 'message' && (
          <div class="at-end">
            <Button
              tone="primary"
              onClick={() => dialog.open((close) => <MessageDialog channelId={ch} onClose={close} />)}
            >
              <Icon name="plus" /> Schedule message
            </Button>
          </div>
        )}
      </div>
      <List
        pages={pages}
        caption={`Scheduled ${kind}s`}
        columns={columnsFor(kind, actions)}
        keyOf={({ id }) => id}
        one={kind}
        empty={<Empty kind={kind} channelId={ch} isFiltered={status !== undefined} />}
      />
      {dialog.shown}
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

interface ReadDialogProps extends Place {
  readonly id: string;
  readonly what: 'show' | 'change';
  readonly onClose: () => void;
}

/** Reads the content first, which the list may lack. */
function ReadDialog({ kind, channelId: ch, id, what, onClose }: ReadDialogProps) {
  const { value, error } = useLoad(['scheduled', kind, ch, id], () => kinds[kind].get(ch, id), { isOnce: true });
  if (value && what === 'change') {
    if (value.message) return <MessageDialog channelId={ch} message={value.message} onClose={onClose} />;
    if (value.post) return <ChangePostDialog channelId={ch} post={value.post} onClose={onClose} />;
  }
  const title = what === 'show' ? `Scheduled ${kind} ${id}` : `Change scheduled ${kind}`;
  const content = (
    <>
      <ErrorBox error={error} />
      {!value && !error && <Loading />}
      {value && <Details kind={kind} scheduled={value} />}
    </>
  );
  if (what === 'change')
    return (
      <Dialog title={title} onClose={onClose}>
        {content}
      </Dialog>
    );
  return (
    <DoneDialog title={title} isWide onClose={onClose}>
      {content}
    </DoneDialog>
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

interface Actions {
  readonly pathOf: (containerId: string) => string;
  readonly show: (scheduled: Scheduled) => void;
  readonly change: (scheduled: Scheduled) => void;
  readonly cancel: (scheduled: Scheduled) => void;
}

const columnsFor = (kind: ScheduledKind, actions: Actions): readonly Column<Scheduled>[] => [
  { head: kinds[kind].due, cell: ({ dueAt }) => <time dateTime={dueAt}>{formatExactTime(new Date(dueAt))}</time> },
  ...(kind === 'message' ? messageColumns : postColumns),
  {
    head: 'Status',
    isWide: kind === 'post',
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

const messageColumns: readonly Column<Scheduled>[] = [
  { head: 'To', cell: ({ message }) => message?.recipient ?? '–' },
  { head: 'Text', isWide: true, cell: ({ message }) => <Preview text={message?.preview ?? null} /> },
];
function Preview({ text }: { readonly text: string | null }) {
  return text === null ? <span class="soft">erased</span> : <span class="clipped">{text}</span>;
}

const postColumns: readonly Column<Scheduled>[] = [
  { head: 'Type', cell: ({ content }) => textOf(content?.['mediaType']) },
  { head: 'Caption', isWide: true, cell: ({ content }) => shorten(textOf(content?.['caption'])) },
];

function RowActions({ scheduled, pathOf, show, change, cancel }: Actions & { readonly scheduled: Scheduled }) {
  const { id, status, post } = scheduled;
  const containerId = status === 'started' && post ? post.containerId : null;
  const button = (words: string, act: (scheduled: Scheduled) => void) => (
    <Button small tone="quiet" aria-label={`${words} ${id}`} onClick={() => act(scheduled)}>
      {words}
    </Button>
  );
  return (
    <div class="actions">
      {containerId !== null && <a href={pathOf(containerId)}>{containerId}</a>}
      {button('Show', show)}
      {status === 'scheduled' && button('Change', change)}
      {status === 'scheduled' && button('Cancel', cancel)}
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '–');
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
