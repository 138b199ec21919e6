import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { Button } from '../../kit/button.tsx';
import { Badge } from '../../kit/badge.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Column, Table } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { describeOptions } from './describe-options.ts';
import { FindingView } from './finding-view.tsx';
import { channelFindings, destinationFinding, waitingCount } from './health-findings.ts';
import { OptionsDialog } from './options-dialog.tsx';
import { type DestinationHealth, useDestinations } from './use-destinations.ts';

interface DestinationPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly deliveriesPath: string;
}

export function DestinationPanel({ channel, deliveriesPath }: DestinationPanelProps) {
  const { value: destinations, error, reload } = useDestinations(channel.id, { isLive: true });
  const { role } = useWorkspace();
  const change = useAction(async (body: Schema<'ChannelDestinationChange'>, done: string) => {
    await api.patch('/channels/{ch}/destinations', { params: { path: { ch: channel.id } }, body });
    toast(done);
    await reload();
  });
  const [edited, setEdited] = useState<DestinationHealth | null>(null);
  const closeOptions = () => setEdited(null);
  const changes: Omit<Columns, 'deliveriesPath'> = {
    onOrder: (destination, to) => change.run({ destination, ordering: to }, 'Ordering updated.'),
    onTraceHeader: (destination, sendsTraceParent) =>
      change.run({ destination, sendsTraceParent }, 'Trace header updated.'),
    onOptions: setEdited,
  };
  const isChannelWide = !channel.connected || !channel.forwardingEnabled || destinations?.length === 0;
  const channelWide = isChannelWide ? channelFindings({ channel, destinations: [], now: new Date() }) : [];
  const all = (
    <a class="button plain small" href={deliveriesPath}>
      View deliveries
    </a>
  );
  return (
    <Panel title="Destinations" actions={all}>
      <ErrorBox error={error} onRetry={() => void reload()} />
      <ErrorBox error={change.error} />
      {!destinations && !error && <Loading />}
      {destinations && channelWide.length > 0 && (
        <div class="findings apart">
          {channelWide.map((finding) => (
            <FindingView key={finding.title} finding={finding} />
          ))}
        </div>
      )}
      {destinations && destinations.length > 0 && (
        <Table
          caption="Destinations"
          columns={columnsFor({ deliveriesPath, ...(role === 'admin' && changes) })}
          rows={destinations}
          keyOf={(one) => `${one.subscriptionId ?? one.listenerId ?? one.type} ${one.url} ${one.isKept}`}
        />
      )}
      {edited && <OptionsDialog channelId={channel.id} destination={edited} onSaved={reload} onClose={closeOptions} />}
    </Panel>
  );
}

type Ordering = DestinationHealth['ordering'];

interface Columns {
  readonly deliveriesPath: string;
  /** Optional, as the next two. Omitted for people who may not change destinations. */
  readonly onOrder?: ((destination: string, ordering: Ordering) => unknown) | undefined;
  readonly onTraceHeader?: ((destination: string, sendsTraceParent: boolean) => unknown) | undefined;
  readonly onOptions?: ((destination: DestinationHealth) => void) | undefined;
}

const columnsFor = ({
  deliveriesPath,
  onOrder,
  onTraceHeader,
  onOptions,
}: Columns): readonly Column<DestinationHealth>[] => [
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
  { head: 'Ordering', cell: (one) => <OrderCell destination={one} onOrder={onOrder} /> },
  { head: 'Trace header', cell: (one) => <TraceHeaderCell destination={one} onTraceHeader={onTraceHeader} /> },
  { head: 'Options', cell: (one) => <OptionsCell destination={one} onOptions={onOptions} /> },
  { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => instantOr(at, 'never') },
  { head: 'Last failure', cell: ({ lastFailureAt: at }) => instantOr(at, 'never') },
];

function instantOr(at: string | null, word: string) {
  return at === null ? <span class="soft">{word}</span> : <RelativeTime at={at} />;
}

const orderingLabels: Readonly<Record<Ordering, string>> = { conversation: 'per conversation', none: 'none' };

/** Listeners are always read in order. A previous URL follows the current one. */
function OrderCell({
  destination: { type, url, subscriptionId, isKept, ordering },
  onOrder,
}: Pick<Columns, 'onOrder'> & { readonly destination: DestinationHealth }) {
  if (type === 'listener') return <span class="soft">in order</span>;
  if (!onOrder || isKept) return orderingLabels[ordering];
  return (
    <select
      class="small"
      aria-label={`Ordering for ${url ?? type}`}
      value={ordering}
      onChange={({ currentTarget }) =>
        onOrder(subscriptionId ?? 'webhook', currentTarget.value === 'none' ? 'none' : 'conversation')
      }
    >
      {Object.entries(orderingLabels).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Listeners are sent nothing. A previous URL follows the current one. */
function TraceHeaderCell({
  destination: { type, url, subscriptionId, isKept, sendsTraceParent },
  onTraceHeader,
}: Pick<Columns, 'onTraceHeader'> & { readonly destination: DestinationHealth }) {
  if (type === 'listener') return <span class="soft">none</span>;
  if (!onTraceHeader || isKept) return sendsTraceParent ? 'on' : 'off';
  return (
    <select
      class="small"
      aria-label={`Trace header for ${url ?? type}`}
      value={sendsTraceParent ? 'on' : 'off'}
      onChange={({ currentTarget }) => onTraceHeader(subscriptionId ?? 'webhook', currentTarget.value === 'on')}
    >
      <option value="on">on</option>
      <option value="off">off</option>
    </select>
  );
}

/** A previous URL keeps the options that it was made with. */
function OptionsCell({
  destination,
  onOptions,
}: Pick<Columns, 'onOptions'> & { readonly destination: DestinationHealth }) {
  if (destination.type === 'listener') return <span class="soft">none</span>;
  const words = describeOptions(destination).join(', ') || 'default';
  if (!onOptions || destination.isKept) return <>{words}</>;
  return (
    <span>
      {words}{' '}
      <Button
        small
        aria-label={`Edit options of ${destination.url ?? destination.type}`}
        onClick={() => onOptions(destination)}
      >
        Edit
      </Button>
    </span>
  );
}
