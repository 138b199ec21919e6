import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { formatNumber, pluralize } from '../../kit/format/format.ts';
import { type Column, Table } from '../../kit/lists.tsx';
import { Badge, Button, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { FindingBadge, FindingView } from './finding-view.tsx';
import { channelFindings, destinationFinding, nameOf, waitingCount } from './health-findings.ts';
import { OptionsDialog } from './options-dialog.tsx';
import { type DestinationHealth, useDestinations } from './use-destinations.ts';

interface DestinationPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly deliveriesPath: string;
}

export function DestinationPanel({ channel, deliveriesPath }: DestinationPanelProps) {
  const loaded = useDestinations(channel.id, { isLive: true });
  const { role } = useWorkspace();
  const dialog = useDialog();
  const edit = (destination: DestinationHealth) =>
    dialog.open((close) => <OptionsDialog channelId={channel.id} destination={destination} onClose={close} />);
  const all = (
    <a class="button plain small" href={deliveriesPath}>
      View deliveries
    </a>
  );
  return (
    <Panel title="Destinations" actions={all}>
      <WhenLoaded of={loaded}>
        {(destinations) => (
          <>
            <ChannelFindings channel={channel} hasDestinations={destinations.length > 0} />
            {destinations.length > 0 && (
              <Table
                caption="Destinations"
                columns={columnsFor(deliveriesPath, role === 'admin' ? edit : null)}
                rows={destinations}
                keyOf={keyOf}
              />
            )}
            <Explanations destinations={destinations} />
          </>
        )}
      </WhenLoaded>
      {dialog.shown}
    </Panel>
  );
}

/** What holds for the channel as a whole. */
function ChannelFindings({ channel, hasDestinations }: { channel: Schema<'Channel'>; hasDestinations: boolean }) {
  if (channel.connected && channel.forwardingEnabled && hasDestinations) return null;
  const findings = channelFindings({ channel, destinations: [], now: new Date() });
  return (
    <div class="findings apart">
      {findings.map((finding) => (
        <FindingView key={finding.title} finding={finding} />
      ))}
    </div>
  );
}

const keyOf = ({ subscriptionId, listenerId, type, url, isKept }: DestinationHealth): string =>
  `${subscriptionId ?? listenerId ?? type} ${url} ${isKept}`;

/** What a figure in the table cannot say about destinations in trouble. */
function Explanations({ destinations }: { readonly destinations: readonly DestinationHealth[] }) {
  const found = destinations.map((one) => ({ one, finding: destinationFinding(one, new Date()) }));
  const serious = found.filter(({ finding: { tone } }) => tone === 'bad' || tone === 'warn');
  if (serious.length === 0) return null;
  return (
    <ul class="findings apart-above soft">
      {serious.map(({ one, finding }) => (
        <li key={keyOf(one)}>
          <strong>{nameOf(one)}</strong>: {finding.detail}
        </li>
      ))}
    </ul>
  );
}

type Edit = (destination: DestinationHealth) => void;

/** `edit` is null for people who may not change destinations. */
function columnsFor(deliveriesPath: string, edit: Edit | null): readonly Column<DestinationHealth>[] {
  return [
    {
      head: 'Destination',
      cell: (one) => (
        <span title={one.url ?? undefined}>
          {destinationName(one)} {one.isKept && <Badge>previous URL</Badge>}
        </span>
      ),
    },
    { head: 'Status', cell: (one) => <FindingBadge finding={destinationFinding(one, new Date())} /> },
    {
      head: 'Waiting',
      align: 'end',
      cell: (one) => {
        const target = one.subscriptionId ?? one.listenerId ?? 'webhook';
        const count = waitingCount(one);
        const status = one.waiting.retrying > one.waiting.pending ? 'retrying' : 'pending';
        if (count === 0) return '0';
        return <a href={`${deliveriesPath}&destination=${target}&status=${status}`}>{formatNumber(count)}</a>;
      },
    },
    { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => instantOrNever(at) },
    { head: 'Last failure', cell: ({ lastFailureAt: at }) => instantOrNever(at) },
    {
      head: 'Options',
      isWide: true,
      cell: (one) => describeOptions(one).join(', ') || <span class="soft">default</span>,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      align: 'end',
      // A previous URL keeps the options that it was made with.
      cell: (one) =>
        edit &&
        one.type !== 'listener' &&
        !one.isKept && (
          <Button small tone="quiet" aria-label={`Edit options of ${one.url ?? one.type}`} onClick={() => edit(one)}>
            Edit
          </Button>
        ),
    },
  ];
}

function instantOrNever(at: string | null) {
  return at === null ? <span class="soft">never</span> : <RelativeTime at={at} />;
}

/** Names what differs from the defaults. */
function describeOptions(options: DestinationHealth): readonly string[] {
  if (options.type === 'listener') return []; // sent nothing, and read in order
  const { ordering, sendsTraceParent, headers, authentication, timeoutSeconds, rate, retrySchedule, debounce } =
    options;
  const { requestsPerSecond, concurrency } = rate;
  const texts = [
    ordering === 'none' && 'no ordering',
    !sendsTraceParent && 'no trace header',
    headers.length > 0 && pluralize(headers.length, 'header'),
    authentication.type !== 'none' && `${authentication.type} authentication`,
    timeoutSeconds !== null && `${timeoutSeconds} s time-out`,
    requestsPerSecond !== null && `${requestsPerSecond} per second`,
    concurrency !== null && `${concurrency} at a time`,
    retrySchedule !== 'default' && (typeof retrySchedule === 'string' ? `${retrySchedule} retries` : 'own retries'),
    debounce !== null && `gathers for ${debounce.seconds} s`,
  ];
  return texts.filter((text) => text !== false);
}
