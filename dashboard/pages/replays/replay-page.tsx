import { useState } from 'preact/hooks';
import type { ApiClient } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { numberText } from '../../kit/texts/counted.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTimeText } from '../../kit/texts/relative-time-text.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { NotFound } from '../../kit/not-found.tsx';
import { WorkflowLink } from '../deliveries/delivery-facts.tsx';
import { type PlaceParams, type ReplayPlace, useReplayPlace } from './replay-place.ts';
import { isMoving, isOpen, progressText, type Replay, replayTones } from './replay-words.ts';
import { ScopeView } from './scope-view.tsx';

const REFRESH_MS = 1_000;

/** How far a replay is, and what became of what it has sent. */
export function Page({ params }: { readonly params: PlaceParams & { readonly rpl: string } }) {
  const { rpl } = params;
  const place = useReplayPlace(params);
  const load = () => place.client.get('/replays/{rpl}', { params: { path: { rpl } } });
  const { value: replay, error, reload } = useLoad(load, [place.scope, rpl]);
  useRefresh(() => void reload(), replay && isMoving(replay) ? REFRESH_MS : null);
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!replay) {
    return (
      <>
        <PageHeader title="Replay" />
        {error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Waiting />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Replay"
        windowTitle={`Replay ${rpl}`}
        actions={isOpen(replay) && <ReplayActions replay={replay} client={place.client} onChanged={reload} />}
      />
      <p class="under-title">
        <Badge tone={replayTones[replay.status]}>{replay.status}</Badge> <CopyableId id={rpl} what="the replay's id" />
      </p>
      <ErrorBox error={error} />
      <ProgressPanel replay={replay} />
      <WhatPanel replay={replay} place={place} />
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
    toast(isPaused ? 'The replay goes on.' : 'The replay is paused.');
    await onChanged();
  });
  return (
    <>
      <ErrorBox error={move.error} />
      <Button tone={isPaused ? 'primary' : 'plain'} busy={move.isBusy} onClick={() => void move.run()}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Cancel …
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Cancel the replay?"
          submit="Cancel replay"
          onConfirm={async () => {
            await client.post('/replays/{rpl}/cancel', { params });
            toast('The replay is cancelled.');
            await onChanged();
          }}
          onClose={() => setAsking(false)}
        >
          <p>What it has sent goes on like any delivery; the rest is not sent. This can't be undone.</p>
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
      <p class="progress-words" role="status">
        {progressText(replay)}
      </p>
      <Facts
        facts={[
          ['Sent', numberText(sent)],
          ['Delivered', numberText(delivered)],
          ['Waiting', numberText(waiting)],
          ['Failed', failed === 0 ? '0' : <Badge tone="bad">{numberText(failed)}</Badge>],
        ]}
      />
    </Panel>
  );
}

function WhatPanel({ replay, place }: { readonly replay: Replay; readonly place: ReplayPlace }) {
  const { scope, since, until, statuses, eventTypes, destination, ratePerSecond, createdAt, endedAt } = replay;
  return (
    <Panel title="What is sent">
      <Facts
        facts={[
          ['Deliveries of', <ScopeView scope={scope} place={place} />],
          ['From', exactTimeText(new Date(since))],
          ['Until', exactTimeText(new Date(until))],
          ['That were', statuses.join(', ')],
          ['Event types', eventTypes === null ? 'all' : eventTypes.join(', ')],
          ['To', destination ?? 'where each went before'],
          ['Rate', `${numberText(ratePerSecond)} a second at most`],
          ['Begun', <RelativeTime at={createdAt} />],
          ['Ended', endedAt === null ? '–' : <RelativeTime at={endedAt} />],
          ['Workflow', <WorkflowLink workflowId={replay.workflowId} />],
        ]}
      />
    </Panel>
  );
}
