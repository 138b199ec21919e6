import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { Badge } from '../../kit/badge.tsx';
import { numberText } from '../../kit/texts/counted.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Column, Table } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { FindingView } from './finding-view.tsx';
import { channelFindings, destinationFinding, waitingCount } from './health-words.ts';
import { type DestinationHealth, useDestinations } from './use-destinations.ts';

interface DestinationPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly deliveriesPath: string;
}

/** Where a channel's events go and how each of these is doing, looked at again and again. */
export function DestinationPanel({ channel, deliveriesPath }: DestinationPanelProps) {
  const { value: destinations, error, reload } = useDestinations(channel.id, { isKeptFresh: true });
  const { role } = useWorkspace();
  const ordering = useAction(async (destination: string, to: Ordering) => {
    await api.patch('/channels/{ch}/destinations', {
      params: { path: { ch: channel.id } },
      body: { destination, ordering: to },
    });
    toast('The order was changed.');
    await reload();
  });
  const isWhole = !channel.connected || !channel.forwardingEnabled || destinations?.length === 0;
  const whole = isWhole ? channelFindings({ channel, destinations: [], now: new Date() }) : [];
  const all = (
    <a class="button plain small" href={deliveriesPath}>
      Show deliveries
    </a>
  );
  return (
    <Panel title="Destinations" actions={all}>
      <ErrorBox error={error} onRetry={() => void reload()} />
      <ErrorBox error={ordering.error} />
      {!destinations && !error && <Waiting />}
      {destinations && whole.length > 0 && (
        <div class="findings apart">
          {whole.map((finding) => (
            <FindingView key={finding.title} finding={finding} />
          ))}
        </div>
      )}
      {destinations && destinations.length > 0 && (
        <Table
          caption="Destinations"
          columns={columnsFor({ deliveriesPath, onOrder: role === 'admin' ? ordering.run : undefined })}
          rows={destinations}
          keyOf={(one) => `${one.subscriptionId ?? one.listenerId ?? one.type} ${one.url} ${one.isKept}`}
        />
      )}
    </Panel>
  );
}

type Ordering = DestinationHealth['ordering'];

interface Columns {
  readonly deliveriesPath: string;
  /** Left out for whoever may not change it. */
  readonly onOrder: ((destination: string, ordering: Ordering) => unknown) | undefined;
}

const columnsFor = ({ deliveriesPath, onOrder }: Columns): readonly Column<DestinationHealth>[] => [
  {
    head: 'Destination',
    cell: (one) => (
      <span title={one.url ?? undefined}>
        {destinationName(one)} {one.isKept && <Badge>the URL before</Badge>}
      </span>
    ),
  },
  { head: 'State', isWide: true, cell: (one) => <FindingView finding={destinationFinding(one, new Date())} /> },
  {
    head: 'Waiting',
    align: 'end',
    cell: (one) => {
      const target = one.subscriptionId ?? one.listenerId ?? 'webhook';
      const count = waitingCount(one);
      const status = one.waiting.retrying > one.waiting.pending ? 'retrying' : 'pending';
      if (count === 0) return '0';
      return <a href={`${deliveriesPath}&destination=${target}&status=${status}`}>{numberText(count)}</a>;
    },
  },
  { head: 'In order', cell: (one) => <OrderCell destination={one} onOrder={onOrder} /> },
  { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => instantOr(at, 'never') },
  { head: 'Last failure', cell: ({ lastFailureAt: at }) => instantOr(at, 'never') },
];

function instantOr(at: string | null, word: string) {
  return at === null ? <span class="soft">{word}</span> : <RelativeTime at={at} />;
}

const orderWords: Readonly<Record<Ordering, string>> = { conversation: 'per conversation', none: 'no' };

/** Changes the order at once; a listener is always read in order, and an old URL goes as the new one does. */
function OrderCell({
  destination: { type, url, subscriptionId, isKept, ordering },
  onOrder,
}: Pick<Columns, 'onOrder'> & { readonly destination: DestinationHealth }) {
  if (type === 'listener') return <span class="soft">always</span>;
  if (!onOrder || isKept) return orderWords[ordering];
  return (
    <select
      class="small"
      aria-label={`In order to ${url ?? type}`}
      value={ordering}
      onChange={({ currentTarget }) =>
        onOrder(subscriptionId ?? 'webhook', currentTarget.value === 'none' ? 'none' : 'conversation')
      }
    >
      {Object.entries(orderWords).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
