import type { Schema } from '../../../client/create-client.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { Badge } from '../../kit/badge.tsx';
import { numberText } from '../../kit/counted.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { Waiting } from '../../kit/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { FindingView } from '../channels/finding-view.tsx';
import { channelFindings, destinationFinding, waitingCount } from '../channels/health-words.ts';
import { type DestinationHealth, useDestinations } from './use-destinations.ts';

interface DestinationPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly deliveriesPath: string;
}

/** Where a channel's events go and how each of these is doing, looked at again and again. */
export function DestinationPanel({ channel, deliveriesPath }: DestinationPanelProps) {
  const { value: destinations, error, reload } = useDestinations(channel.id, { isKeptFresh: true });
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
          columns={columnsFor(deliveriesPath)}
          rows={destinations}
          keyOf={(one) => `${one.subscriptionId ?? one.listenerId ?? one.type} ${one.url} ${one.isKept}`}
        />
      )}
    </Panel>
  );
}

const columnsFor = (deliveriesPath: string): readonly Column<DestinationHealth>[] => [
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
  { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => instantOr(at, 'never') },
  { head: 'Last failure', cell: ({ lastFailureAt: at }) => instantOr(at, 'never') },
];

function instantOr(at: string | null, word: string) {
  return at === null ? <span class="soft">{word}</span> : <RelativeTime at={at} />;
}
