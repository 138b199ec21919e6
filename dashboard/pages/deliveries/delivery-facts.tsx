import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { CopyableId } from '../../kit/copyable.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { workflowUrl } from '../../session/config.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';

interface DeliveryFactsProps {
  readonly delivery: Schema<'Delivery'>;
  readonly workspaceId: string;
}

export function DeliveryFacts({ delivery, workspaceId }: DeliveryFactsProps) {
  const { organizationId } = useOrganization();
  const { eventType, eventId, channelId, destination, sender, platformMessageId, receivedAt } = delivery;
  const { replayOf, replayId, createdAt, workflowId } = delivery;
  const at = (page: string) => workspacePath(organizationId, workspaceId, page);
  return (
    <Panel title="Event">
      <Facts
        facts={[
          ['Type', <code>{eventType}</code>],
          ['Received', <RelativeTime at={receivedAt} />],
          ['Channel', <a href={at(`channels/${channelId}`)}>{channelId}</a>],
          [
            'Destination',
            destination ? <span title={destination.url ?? undefined}>{destinationName(destination)}</span> : 'none',
          ],
          ['Event id', <CopyableId id={eventId} what="the event's id" />],
          ['Sender', sender === null ? '–' : <CopyableId id={sender} what="the sender" />],
          [
            "Platform's message id",
            platformMessageId === null ? '–' : <CopyableId id={platformMessageId} what="the platform's message id" />,
          ],
          ...(replayOf !== null ? [['Replay of', <a href={at(`deliveries/${replayOf}`)}>{replayOf}</a>] as const] : []),
          ...(replayOf !== null ? [['Made', <RelativeTime at={createdAt} />] as const] : []),
          ...(replayId !== null ? [['Part of', <a href={at(`replays/${replayId}`)}>{replayId}</a>] as const] : []),
          ...(workflowId !== null ? [['Workflow', <WorkflowLink workflowId={workflowId} />] as const] : []),
        ]}
      />
    </Panel>
  );
}

/** Into the Temporal UI for those who may look there; its id for everybody else. */
export function WorkflowLink({ workflowId }: { readonly workflowId: string }) {
  const url = workflowUrl(workflowId);
  if (url === null) return <CopyableId id={workflowId} what="the workflow's id" />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {workflowId} <Icon name="external" />
      <span class="hidden"> in the Temporal UI, in a new tab</span>
    </a>
  );
}
