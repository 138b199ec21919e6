import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { CopyableId, CopyButton, DescriptionList, ExternalLink, Panel, RelativeTime } from '../../kit/parts.tsx';
import { traceLink, workflowUrl } from '../../session/config.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { portal } from '../../session/portal.ts';

interface DeliveryDetailsProps {
  readonly delivery: Schema<'Delivery'>;
  /** The attempt whose URL is shown. */
  readonly attempt: Schema<'DeliveryAttempt'> | undefined;
}

export function DeliveryDetails({ delivery, attempt }: DeliveryDetailsProps) {
  const { at } = usePlace();
  const { eventType, eventId, channelId, channelName, destination, sender, platformMessageId, receivedAt } = delivery;
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
    replayOf !== null && (['Replay of', <a href={at(`deliveries/${replayOf}`)}>{replayOf}</a>] as const),
    replayOf !== null && (['Created', <RelativeTime at={createdAt} />] as const),
    replayId !== null && (['Bulk replay', <a href={at(`replays/${replayId}`)}>{replayId}</a>] as const),
    workflowId !== null && (['Workflow', <WorkflowLink workflowId={workflowId} />] as const),
    erasedAt !== null && (['Erased', <RelativeTime at={erasedAt} />] as const),
    traceId !== null && (['Trace', <TraceLink traceId={traceId} />] as const),
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
    <ExternalLink href={url} about="the Temporal UI">
      {workflowId}
    </ExternalLink>
  );
}

function TraceLink({ traceId }: { readonly traceId: string }) {
  const url = traceLink(traceId);
  if (url === null) return <CopyableId id={traceId} what="trace ID" />;
  return (
    <ExternalLink href={url} about="the trace">
      {traceId}
    </ExternalLink>
  );
}

type Delivery = Schema<'Delivery'>;

interface SentToProps {
  readonly delivery: Delivery;
  /** The chosen attempt. */
  readonly attempt: Delivery['attempts'][number] | undefined;
}

/** The address at that time. What is not recorded is said, and the present address is never shown as the past one. */
function SentTo({ delivery, attempt }: SentToProps) {
  const { destination } = delivery;
  if (destination === null) return <>none</>;
  const present = destination.url;
  if (destination.type === 'listener') return <>read by its listener</>;
  const sent = attempt?.url ?? null;
  if (sent !== null) {
    return (
      <span class="sent-to">
        <span>
          <code>POST {sent}</code> <CopyButton text={sent} what="URL" />
        </span>
        {present !== null && present !== sent && (
          <small>
            The destination has another URL now: <code>{present}</code>
          </small>
        )}
      </span>
    );
  }
  return (
    <span class="sent-to">
      <span>{attempt === undefined ? 'Not sent yet' : unknownWords(delivery, attempt)}</span>
      {present !== null && (
        <small>
          The destination's URL now: <code>{present}</code>
        </small>
      )}
    </span>
  );
}

function unknownWords({ erasedAt, destination }: Delivery, attempt: NonNullable<SentToProps['attempt']>): string {
  if (attempt.outcome === 'blocked') return 'Nothing was sent';
  if (erasedAt !== null) return 'Erased';
  if (destination?.url === null) return 'Not shown here';
  return 'Unknown: the URL at that time was not recorded';
}
