import { useState } from 'preact/hooks';
import type { ApiClient } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { NotFound } from '../../kit/not-found.tsx';
import { may } from '../../session/portal.ts';
import { WorkflowLink } from '../deliveries/delivery-details.tsx';
import { type ReplayContextParams, type ReplayContext, useReplayContext } from './replay-context.ts';
import { isInProgress, isOpen, describeProgress, type Replay, replayTones } from './replay-status.ts';
import { ScopeView } from './scope-view.tsx';

const REFRESH_MS = 1_000;

export function Page({ params }: { readonly params: ReplayContextParams & { readonly rpl: string } }) {
  const { rpl } = params;
  const context = useReplayContext(params);
  const load = () => context.client.get('/replays/{rpl}', { params: { path: { rpl } } });
  const { value: replay, error, reload } = useLoad(load, [context.scope, rpl]);
  useRefresh(() => void reload(), replay && isInProgress(replay) ? REFRESH_MS : null);
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!replay) {
    return (
      <>
        <PageHeader title="Replay" />
        {error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Replay"
        windowTitle={`Replay ${rpl}`}
        actions={
          isOpen(replay) &&
          may('replays.manage') && <ReplayActions replay={replay} client={context.client} onChanged={reload} />
        }
      />
      <p class="under-title">
        <Badge tone={replayTones[replay.status]}>{replay.status}</Badge> <CopyableId id={rpl} what="replay ID" />
      </p>
      <ErrorBox error={error} />
      <ProgressPanel replay={replay} />
      <DetailsPanel replay={replay} context={context} />
    </>
  );
}

interface ReplayActionsProps {
  readonly replay: Replay;
  readonly client: ApiClient;
  readonly onChanged: () => Promise<void>;
}

function ReplayActions({ replay, client, onChanged }: ReplayActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const params = { path: { rpl: replay.replayId } };
  const isPaused = replay.status === 'paused';
  const move = useAction(async () => {
    if (isPaused) await client.post('/replays/{rpl}/resume', { params });
    else await client.post('/replays/{rpl}/pause', { params });
    toast(isPaused ? 'Replay resumed.' : 'Replay paused.');
    await onChanged();
  });
  return (
    <>
      <ErrorBox error={move.error} />
      <Button tone={isPaused ? 'primary' : 'plain'} busy={move.isBusy} onClick={() => void move.run()}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Cancel replay
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Cancel this replay?"
          submit="Cancel replay"
          dismiss="Keep replay"
          onConfirm={async () => {
            await client.post('/replays/{rpl}/cancel', { params });
            toast('Replay cancelled.');
            await onChanged();
          }}
          onClose={() => setAsking(false)}
        >
          <p>Deliveries that it already created continue. The remaining events are not sent. You can't undo this.</p>
        </ConfirmDialog>
      )}
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
  const { channelIds, originalDestinations, httpStatuses, selectedBy } = replay;
  return (
    <Panel title="Details">
      <DescriptionList
        items={[
          ['Scope', <ScopeView scope={scope} context={context} />],
          ['From', formatExactTime(new Date(since))],
          ['Until', formatExactTime(new Date(until))],
          ['Statuses', statuses.join(', ')],
          ['Event types', eventTypes === null ? 'all' : eventTypes.join(', ')],
          ...listItem('Channels', channelIds),
          ...listItem('Sent to', originalDestinations),
          ...listItem('HTTP statuses', httpStatuses),
          ...listItem(
            'Selected by',
            selectedBy.map((name) => selectionNames[name]),
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

/** Filters that were not used have no line. */
function listItem(name: string, values: readonly string[] | null): [string, string][] {
  return values === null || values.length === 0 ? [] : [[name, values.join(', ')]];
}

const selectionNames: Readonly<Record<Replay['selectedBy'][number], string>> = {
  search: 'a search',
  sender: 'a sender',
  platformMessageId: 'a message ID',
};
