import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { traceLink, workflowUrl } from '../../session/config.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';

interface DeliveryDetailsProps {
  readonly delivery: Schema<'Delivery'>;
  readonly workspaceId: string;
}

export function DeliveryDetails({ delivery, workspaceId }: DeliveryDetailsProps) {
  const { organizationId } = useOrganization();
  const { eventType, eventId, channelId, destination, sender, platformMessageId, receivedAt } = delivery;
  const { replayOf, replayId, createdAt, workflowId, traceId, erasedAt } = delivery;
  const at = (page: string) => workspacePath(organizationId, workspaceId, page);
  return (
    <Panel title="Event">
      <DescriptionList
        items={[
          ['Type', <code>{eventType}</code>],
          ['Received', <RelativeTime at={receivedAt} />],
          ['Channel', <a href={at(`channels/${channelId}`)}>{channelId}</a>],
          [
            'Destination',
            destination ? <span title={destination.url ?? undefined}>{destinationName(destination)}</span> : 'none',
          ],
          ['Event ID', <CopyableId id={eventId} what="event ID" />],
          ['Sender', sender === null ? '–' : <CopyableId id={sender} what="sender" />],
          [
            'Platform message ID',
            platformMessageId === null ? '–' : <CopyableId id={platformMessageId} what="platform message ID" />,
          ],
          ...(replayOf !== null ? [['Replay of', <a href={at(`deliveries/${replayOf}`)}>{replayOf}</a>] as const] : []),
          ...(replayOf !== null ? [['Created', <RelativeTime at={createdAt} />] as const] : []),
          ...(replayId !== null ? [['Replay', <a href={at(`replays/${replayId}`)}>{replayId}</a>] as const] : []),
          ...(workflowId !== null ? [['Workflow', <WorkflowLink workflowId={workflowId} />] as const] : []),
          ...(erasedAt !== null ? [['Erased', <RelativeTime at={erasedAt} />] as const] : []),
          ...(traceId !== null ? [['Trace', <TraceLink traceId={traceId} />] as const] : []),
        ]}
      />
    </Panel>
  );
}

export function WorkflowLink({ workflowId }: { readonly workflowId: string }) {
  const url = workflowUrl(workflowId);
  if (url === null) return <CopyableId id={workflowId} what="workflow ID" />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {workflowId} <Icon name="external" />
      <span class="hidden"> (opens the Temporal UI in a new tab)</span>
    </a>
  );
}

function TraceLink({ traceId }: { readonly traceId: string }) {
  const url = traceLink(traceId);
  if (url === null) return <CopyableId id={traceId} what="trace ID" />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {traceId} <Icon name="external" />
      <span class="hidden"> (opens the trace in a new tab)</span>
    </a>
  );
}
