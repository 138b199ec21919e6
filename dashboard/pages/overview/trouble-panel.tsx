import { useState } from 'preact/hooks';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { api, apiIn } from '../../session/api.ts';
import { OpenAlerts } from './open-alerts.tsx';
import { lastAnswer, skippedReplayQuery, troubleTitle } from './trouble-text.ts';
import type { Trouble } from './use-overview.ts';

interface TroublePanelProps {
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  readonly trouble: readonly Trouble[];
  readonly onChanged: () => Promise<void>;
}

export function TroublePanel({ organizationId, workspaceId, trouble, onChanged }: TroublePanelProps) {
  const [enabled, setEnabled] = useState<readonly Trouble[]>([]);
  const isSame = (a: Trouble, b: Trouble): boolean => a.channelId === b.channelId && a.destination === b.destination;
  const repaired = enabled.filter((one) => !trouble.some((other) => isSame(one, other)));
  return (
    <OpenAlerts organizationId={organizationId} workspaceId={workspaceId}>
      {(alerts) =>
        trouble.length + repaired.length + alerts.length > 0 && (
          <Panel title="Needs attention">
            <ul class="troubles">
              {trouble.map((one) => (
                <TroubleItem
                  key={`${one.channelId} ${one.destination}`}
                  {...{ organizationId, one }}
                  onEnabled={async () => {
                    setEnabled([...enabled, one]);
                    await onChanged();
                  }}
                />
              ))}
              {repaired.map((one) => (
                <RepairedItem key={`${one.channelId} ${one.destination}`} {...{ organizationId, one }} />
              ))}
              {alerts}
            </ul>
          </Panel>
        )
      }
    </OpenAlerts>
  );
}

interface ItemProps {
  readonly organizationId: string;
  readonly one: Trouble;
}

function TroubleItem({ organizationId, one, onEnabled }: ItemProps & { readonly onEnabled: () => Promise<void> }) {
  const at = (page: string): string => workspacePath(organizationId, one.workspaceId, page);
  const answer = lastAnswer(one);
  const enable = useAction(async () => {
    await enableAgain(one);
    toast('Enabled again.');
    await onEnabled();
  });
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone="bad">{troubleTitle(one)}</Badge> <DestinationLink {...{ organizationId, one }} />
        </p>
        {answer !== null && one.lastFailure && (
          <p class="soft failure">
            <a href={at(`deliveries/${one.lastFailure.deliveryId}`)}>
              <RelativeTime at={one.lastFailure.at} />
            </a>{' '}
            {answer}
          </p>
        )}
        <ErrorBox error={enable.error} />
      </div>
      <TroubleActions {...{ at, one, isEnabling: enable.isBusy }} onEnable={() => void enable.run()} />
    </li>
  );
}

interface TroubleActionsProps {
  readonly at: (page: string) => string;
  readonly one: Trouble;
  readonly isEnabling: boolean;
  readonly onEnable: () => void;
}

function TroubleActions({ at, one, isEnabling, onEnable }: TroubleActionsProps) {
  return (
    <div class="actions">
      {one.state === 'disabled' ? (
        <>
          <Button small busy={isEnabling} onClick={onEnable}>
            Enable again
          </Button>
          <a class="button plain small" href={at(skippedReplayQuery(one))}>
            Replay what was skipped
          </a>
        </>
      ) : (
        <a
          class="button plain small"
          href={at(`channels/${one.channelId}/${one.destination === 'webhook' ? 'webhook' : 'subscriptions'}`)}
        >
          {one.destination === 'webhook' ? 'Test webhook' : 'Open subscription'}
        </a>
      )}
    </div>
  );
}

function DestinationLink({ organizationId, one }: ItemProps) {
  const name = one.destination === 'webhook' ? 'webhook' : (one.label ?? one.destination);
  return (
    <>
      <a href={workspacePath(organizationId, one.workspaceId, `channels/${one.channelId}`)}>{one.channelName}</a>,{' '}
      {name}
      {one.since !== null && (
        <span class="soft">
          , failing since <RelativeTime at={one.since} />
        </span>
      )}
    </>
  );
}

function RepairedItem({ organizationId, one }: ItemProps) {
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone="good">Enabled again</Badge> {one.channelName}
        </p>
      </div>
      <div class="actions">
        <a class="button plain small" href={workspacePath(organizationId, one.workspaceId, skippedReplayQuery(one))}>
          Replay what was skipped
        </a>
      </div>
    </li>
  );
}

/** A webhook is probed again with the stored verify token. */
async function enableAgain({ workspaceId, channelId: ch, destination, url }: Trouble): Promise<void> {
  if (destination !== 'webhook') {
    const params = { path: { ch, sub: destination } };
    await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body: { enabled: true } });
    return;
  }
  await apiIn(workspaceId).put('/webhook-config/{ch}', { params: { path: { ch } }, body: { webhookUrl: url } });
}
