import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { usePages } from '../../kit/calls.ts';
import { type Column, ListPage, QuerySelect } from '../../kit/lists.tsx';
import { Badge, EmptyState } from '../../kit/parts.tsx';
import { query } from '../../routes/router.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { type DeliverySummary, filtersOf, listQueryOf } from '../deliveries/delivery-filters.ts';
import { deliveryNote, formatInstant, statusLabels, statusTones } from '../deliveries/delivery-note.ts';
import { ChannelChoice, chosenChannel } from './channel-choice.tsx';

/** Asks again instead of following a stream: each open stream takes a place of the organization. */
const REFRESH_MS = 5_000;

export function Page() {
  const { workspaceId: id, api, at } = usePlace();
  const channel = chosenChannel();
  const filters = { ...filtersOf(query.value), ...(channel !== null && { channels: [channel] }) };
  const pages = usePages(
    ['deliveries', id, filters],
    (page) => api.get('/deliveries', { params: { query: { ...listQueryOf(filters), ...page } } }),
    (_, isFirstPage) => isFirstPage && REFRESH_MS,
  );
  return (
    <ListPage
      title="Deliveries"
      about="Events and what became of them, newest first."
      filters={
        <div class="filter-bar" role="search" aria-label="Deliveries">
          <ChannelChoice workspaceId={id} />
          <QuerySelect
            name="status"
            label="Status"
            values={deliveryStatuses.map((status) => [status, statusLabels[status]] as const)}
          />
        </div>
      }
      pages={pages}
      columns={columnsFor((delivery) => at(`deliveries/${delivery}`))}
      keyOf={({ deliveryId }) => deliveryId}
      one="delivery"
      many="deliveries"
      empty={<EmptyState title="No deliveries">Nothing matches.</EmptyState>}
    />
  );
}

const columnsFor = (pathOf: (deliveryId: string) => string): readonly Column<DeliverySummary>[] => [
  {
    head: 'Created',
    cell: ({ deliveryId, createdAt }) => <a href={pathOf(deliveryId)}>{formatInstant(createdAt, new Date())}</a>,
  },
  { head: 'Status', cell: ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge> },
  { head: 'Event', cell: ({ eventType }) => eventType },
  { head: 'Sender', cell: ({ sender }) => sender },
  { head: 'Destination', cell: ({ destination }) => (destination ? destinationName(destination) : '–') },
  { head: 'Note', isWide: true, cell: (delivery) => deliveryNote(delivery, new Date()) },
];
