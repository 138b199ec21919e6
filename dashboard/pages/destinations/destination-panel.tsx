import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { useAction } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { formatNumber, pluralize } from '../../kit/format/format.ts';
import { Select } from '../../kit/forms.tsx';
import { type Column, Table } from '../../kit/lists.tsx';
import { Badge, Button, ErrorBox, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { FindingView } from './finding-view.tsx';
import { channelFindings, destinationFinding, waitingCount } from './health-findings.ts';
import { OptionsDialog } from './options-dialog.tsx';
import { type DestinationHealth, useDestinations } from './use-destinations.ts';

type Change = Omit<Schema<'ChannelDestinationChange'>, 'destination'>;

interface DestinationPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly deliveriesPath: string;
}

export function DestinationPanel({ channel, deliveriesPath }: DestinationPanelProps) {
  const loaded = useDestinations(channel.id, { isLive: true });
  const { role } = useWorkspace();
  const dialog = useDialog();
  const change = useAction(async ({ body, done }: { body: Schema<'ChannelDestinationChange'>; done: string }) => {
    await api.patch('/channels/{ch}/destinations', { params: { path: { ch: channel.id } }, body });
    toast(done);
  });
  const acts: Acts = {
    change: ({ subscriptionId }, body, done) =>
      change.run({ body: { destination: subscriptionId ?? 'webhook', ...body }, done }),
    editOptions: (destination) =>
      dialog.open((close) => <OptionsDialog channelId={channel.id} destination={destination} onClose={close} />),
  };
  const all = (
    <a class="button plain small" href={deliveriesPath}>
      View deliveries
    </a>
  );
  return (
    <Panel title="Destinations" actions={all}>
      <ErrorBox error={change.error} />
      <WhenLoaded of={loaded}>
        {(destinations) => (
          <>
            <ChannelFindings channel={channel} hasDestinations={destinations.length > 0} />
            {destinations.length > 0 && (
              <Table
                caption="Destinations"
                columns={columnsFor(deliveriesPath, role === 'admin' ? acts : null)}
                rows={destinations}
                keyOf={(one) => `${one.subscriptionId ?? one.listenerId ?? one.type} ${one.url} ${one.isKept}`}
              />
            )}
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

interface Acts {
  readonly change: (destination: DestinationHealth, body: Change, done: string) => void;
  readonly editOptions: (destination: DestinationHealth) => void;
}

type Ordering = DestinationHealth['ordering'];
const orderingLabels = { conversation: 'per conversation', none: 'none' } as const;
const orderings = Object.entries(orderingLabels) as [Ordering, string][];
const switches = ['on', 'off'].map((one) => [one, one] as const);

/** `acts` is null for people who may not change destinations. Listeners are always read in order and sent nothing. */
function columnsFor(deliveriesPath: string, acts: Acts | null): readonly Column<DestinationHealth>[] {
  return [
    {
      head: 'Destination',
      cell: (one) => (
        <span title={one.url ?? undefined}>
          {destinationName(one)} {one.isKept && <Badge>previous URL</Badge>}
        </span>
      ),
    },
    { head: 'Status', isWide: true, cell: (one) => <FindingView finding={destinationFinding(one, new Date())} /> },
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
    {
      head: 'Ordering',
      cell: (one) => {
        if (one.type === 'listener') return <span class="soft">in order</span>;
        if (!acts || one.isKept) return orderingLabels[one.ordering]; // a previous URL follows the current one
        return (
          <Select
            class="small"
            aria-label={`Ordering for ${one.url ?? one.type}`}
            value={one.ordering}
            options={orderings}
            onValue={(ordering) => acts.change(one, { ordering }, 'Ordering updated.')}
          />
        );
      },
    },
    {
      head: 'Trace header',
      cell: (one) => {
        if (one.type === 'listener') return <span class="soft">none</span>;
        const value = one.sendsTraceParent ? 'on' : 'off';
        if (!acts || one.isKept) return value;
        return (
          <Select
            class="small"
            aria-label={`Trace header for ${one.url ?? one.type}`}
            value={value}
            options={switches}
            onValue={(chosen) => acts.change(one, { sendsTraceParent: chosen === 'on' }, 'Trace header updated.')}
          />
        );
      },
    },
    {
      head: 'Options',
      cell: (one) => {
        if (one.type === 'listener') return <span class="soft">none</span>;
        const words = describeOptions(one).join(', ') || 'default';
        if (!acts || one.isKept) return words; // a previous URL keeps the options that it was made with
        return (
          <span>
            {words}{' '}
            <Button small aria-label={`Edit options of ${one.url ?? one.type}`} onClick={() => acts.editOptions(one)}>
              Edit
            </Button>
          </span>
        );
      },
    },
    { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => instantOrNever(at) },
    { head: 'Last failure', cell: ({ lastFailureAt: at }) => instantOrNever(at) },
  ];
}

function instantOrNever(at: string | null) {
  return at === null ? <span class="soft">never</span> : <RelativeTime at={at} />;
}

/** Names what differs from the defaults. */
function describeOptions(options: DestinationHealth): readonly string[] {
  const { headers, authentication, timeoutSeconds, rate, retrySchedule, debounce } = options;
  const { requestsPerSecond, concurrency } = rate;
  const texts = [
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
