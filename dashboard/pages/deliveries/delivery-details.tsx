import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { traceLink, workflowUrl } from '../../session/config.ts';
import { portal } from '../../session/portal.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { SentTo } from './sent-to.tsx';

interface DeliveryDetailsProps {
  readonly delivery: Schema<'Delivery'>;
  /** The attempt whose URL is shown. */
  readonly attempt: Schema<'DeliveryAttempt'> | undefined;
  readonly workspaceId: string;
}

export function DeliveryDetails({ delivery, attempt, workspaceId }: DeliveryDetailsProps) {
  const { organizationId } = useOrganization();
  const { eventType, eventId, channelId, channelName, destination, sender, platformMessageId, receivedAt } = delivery;
  const at = (page: string) => workspacePath(organizationId, workspaceId, page);
  const listed = (name: string, value: string) => at(`deliveries?${new URLSearchParams({ [name]: value })}`);
  return (
    <Panel title="Event">
      <div class="sent-to-line">
        <h3>Sent to</h3>
        <SentTo delivery={delivery} attempt={attempt} />
      </div>
      <DescriptionList
        items={[
          ['Type', <code>{eventType}</code>],
          ['Received', <RelativeTime at={receivedAt} />],
          ['Channel', <a href={at(`channels/${channelId}`)}>{channelName}</a>],
          ['Destination', destination ? <Target {...{ destination, channelId, at }} /> : 'none'],
          [
            'Event ID',
            <>
              <CopyableId id={eventId} what="event ID" /> <a href={listed('q', eventId)}>All its deliveries</a>
            </>,
          ],
          ['Sender', <Sender sender={sender} href={sender === null ? '' : listed('sender', sender)} />],
          [
            'Platform message ID',
            platformMessageId === null ? '–' : <CopyableId id={platformMessageId} what="platform message ID" />,
          ],
          ...originOf(delivery, at),
        ]}
      />
    </Panel>
  );
}

function Sender({ sender, href }: { readonly sender: string | null; readonly href: string }) {
  if (sender === null) return <>–</>;
  return (
    <>
      <CopyableId id={sender} what="sender" /> <a href={href}>Their deliveries</a>
    </>
  );
}

type PathOf = (page: string) => string;

function originOf({ replayOf, replayId, createdAt, workflowId, erasedAt, traceId }: Schema<'Delivery'>, at: PathOf) {
  return [
    ...(replayOf !== null ? [['Replay of', <a href={at(`deliveries/${replayOf}`)}>{replayOf}</a>] as const] : []),
    ...(replayOf !== null ? [['Created', <RelativeTime at={createdAt} />] as const] : []),
    ...(replayId !== null ? [['Bulk replay', <a href={at(`replays/${replayId}`)}>{replayId}</a>] as const] : []),
    ...(workflowId !== null ? [['Workflow', <WorkflowLink workflowId={workflowId} />] as const] : []),
    ...(erasedAt !== null ? [['Erased', <RelativeTime at={erasedAt} />] as const] : []),
    ...(traceId !== null ? [['Trace', <TraceLink traceId={traceId} />] as const] : []),
  ];
}

interface TargetProps {
  readonly destination: NonNullable<Schema<'Delivery'>['destination']>;
  readonly channelId: string;
  readonly at: PathOf;
}

function Target({ destination, channelId, at }: TargetProps) {
  const pages = { webhook: '/webhook', subscription: '/subscriptions', listener: '' } as const;
  if (portal.value) return <>{destinationName(destination)}</>;
  return <a href={at(`channels/${channelId}${pages[destination.type]}`)}>{destinationName(destination)}</a>;
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
