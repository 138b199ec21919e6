import type { ApiClient } from '../../../client/create-client.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { DetailPage, PageHeader } from '../../kit/page.tsx';
import {
  Badge,
  Button,
  CopyableId,
  DescriptionList,
  ErrorBox,
  Panel,
  ProgressBar,
  RelativeTime,
} from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { may } from '../../session/portal.ts';
import { WorkflowLink } from '../deliveries/delivery-details.tsx';
import { type ReplayContext, type ReplayContextParams, ScopeView, useReplayContext } from './replay-context.tsx';
import { describeProgress, isInProgress, isOpen, type Replay, replayTones } from './replay-status.ts';

const REFRESH_MS = 1_000;

export function Page({ params }: { readonly params: ReplayContextParams & { readonly rpl: string } }) {
  const { rpl } = params;
  const context = useReplayContext(params);
  const load = () => context.client.get('/replays/{rpl}', { params: { path: { rpl } } });
  const loaded = useLoad(['replay', context.scope, rpl], load, {
    everyMs: (replay) => isInProgress(replay) && REFRESH_MS,
  });
  return (
    <DetailPage title="Replay" of={loaded}>
      {(replay) => (
        <>
          <PageHeader
            title="Replay"
            windowTitle={`Replay ${rpl}`}
            actions={
              isOpen(replay) && may('replays.manage') && <ReplayActions replay={replay} client={context.client} />
            }
          />
          <p class="under-title">
            <Badge tone={replayTones[replay.status]}>{replay.status}</Badge> <CopyableId id={rpl} what="replay ID" />
          </p>
          <ErrorBox error={loaded.error} />
          <ProgressPanel replay={replay} />
          <DetailsPanel replay={replay} context={context} />
        </>
      )}
    </DetailPage>
  );
}

function ReplayActions({ replay, client }: { readonly replay: Replay; readonly client: ApiClient }) {
  const dialog = useDialog();
  const params = { path: { rpl: replay.replayId } };
  const isPaused = replay.status === 'paused';
  const move = useAction(async () => {
    if (isPaused) await client.post('/replays/{rpl}/resume', { params });
    else await client.post('/replays/{rpl}/pause', { params });
    toast(isPaused ? 'Replay resumed.' : 'Replay paused.');
  });
  const cancel = () =>
    dialog.confirm({
      title: 'Cancel this replay?',
      submit: 'Cancel replay',
      dismiss: 'Keep replay',
      about: "Deliveries that it already created continue. The remaining events are not sent. You can't undo this.",
      act: () => client.post('/replays/{rpl}/cancel', { params }),
      done: 'Replay cancelled.',
    });
  return (
    <>
      <ErrorBox error={move.error} />
      <Button tone={isPaused ? 'primary' : 'plain'} busy={move.isBusy} onClick={() => move.run()}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button tone="danger" onClick={cancel}>
        Cancel replay
      </Button>
      {dialog.shown}
    </>
  );
}

function ProgressPanel({ replay }: { readonly replay: Replay }) {
  const { sent, matched, delivered, failed, waiting } = replay;
  return (
    <Panel title="Progress">
      <ProgressBar label="Progress of the replay" value={sent} max={matched} />
      <p class="progress-text" role="status">
        {describeProgress(replay)}
      </p>
      <DescriptionList
        items={[
          ['Sent', formatNumber(sent)],
          ['Delivered', formatNumber(delivered)],
          ['Waiting', formatNumber(waiting)],
          ['Failed', failed === 0 ? '0' : <Badge tone="bad">{formatNumber(failed)}</Badge>],
        ]}
      />
    </Panel>
  );
}

function DetailsPanel({ replay, context }: { readonly replay: Replay; readonly context: ReplayContext }) {
  const { scope, since, until, statuses, eventTypes, destination, ratePerSecond, createdAt, endedAt } = replay;
  // Filters that were not used have no line.
  const list = (name: string, values: readonly string[] | null) =>
    values !== null && values.length > 0 && ([name, values.join(', ')] as const);
  return (
    <Panel title="Details">
      <DescriptionList
        items={[
          ['Scope', <ScopeView scope={scope} context={context} />],
          ['From', formatExactTime(new Date(since))],
          ['Until', formatExactTime(new Date(until))],
          ['Statuses', statuses.join(', ')],
          ['Event types', eventTypes === null ? 'all' : eventTypes.join(', ')],
          list('Channels', replay.channelIds),
          list('Sent to', replay.originalDestinations),
          list('HTTP statuses', replay.httpStatuses),
          list(
            'Selected by',
            replay.selectedBy.map((name) => selectionNames[name]),
          ),
          ['Destination', destination ?? 'original destination of each event'],
          ['Rate', `up to ${formatNumber(ratePerSecond)} per second`],
          ['Started', <RelativeTime at={createdAt} />],
          ['Ended', endedAt === null ? '–' : <RelativeTime at={endedAt} />],
          ['Workflow', <WorkflowLink workflowId={replay.workflowId} />],
        ]}
      />
    </Panel>
  );
}

const selectionNames: Readonly<Record<Replay['selectedBy'][number], string>> = {
  search: 'a search',
  sender: 'a sender',
  platformMessageId: 'a message ID',
};
