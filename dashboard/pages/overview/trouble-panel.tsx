import { useState } from 'preact/hooks';
import { Badge } from '../../kit/badge.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { OpenAlerts } from './open-alerts.tsx';
import { ReplaySkipped, TroubleActions } from '../troubles/trouble-actions.tsx';
import { lastAnswer, troubleTitle } from '../troubles/trouble-text.ts';
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
  const answer = lastAnswer(one);
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone="bad">{troubleTitle(one)}</Badge> <DestinationLink {...{ organizationId, one }} />
        </p>
        {answer !== null && one.lastFailure && (
          <p class="soft failure">
            <a href={workspacePath(organizationId, one.workspaceId, `deliveries/${one.lastFailure.deliveryId}`)}>
              <RelativeTime at={one.lastFailure.at} />
            </a>{' '}
            {answer}
          </p>
        )}
      </div>
      <TroubleActions {...{ organizationId, onEnabled }} broken={one} />
    </li>
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
          , {one.state === 'not_settling' ? 'since' : 'failing since'} <RelativeTime at={one.since} />
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
      <ReplaySkipped organizationId={organizationId} broken={one} />
    </li>
  );
}
