import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { destinationName } from '../../charts/statistics-series.ts';
import { Badge } from '../../kit/badge.tsx';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { query, setQuery } from '../../routes/router.ts';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { type DeliverySummary, filtersOf, listQueryOf } from '../deliveries/filters/delivery-filters.ts';
import { deliveryNote, formatReceivedAt, statusLabels, statusTones } from '../deliveries/delivery-note.ts';
import { ChannelChoice, chosenChannel } from './channel-choice.tsx';

/** Asks again instead of following a stream: each open stream takes a place of the organization. */
const REFRESH_MS = 5_000;
const FIRST_PAGE = 50;

export function Page() {
  const { id, organizationId } = useWorkspace();
  const pages = useDeliveries(id);
  const isFirstPage = (pages.items?.length ?? 0) <= FIRST_PAGE;
  useRefresh(() => void pages.reload(), isFirstPage ? REFRESH_MS : null);
  const pathOf = (delivery: string) => workspacePath(organizationId, id, `deliveries/${delivery}`);
  return (
    <>
      <PageHeader title="Deliveries">Events and what became of them, newest first.</PageHeader>
      <div class="filter-bar" role="search" aria-label="Deliveries">
        <ChannelChoice workspaceId={id} />
        <SelectField
          label="Status"
          value={query.value.get('status') ?? ''}
          options={[['', 'Any'], ...deliveryStatuses.map((status) => [status, statusLabels[status]] as const)]}
          onValue={(status) => setQuery({ status })}
        />
      </div>
      <List
        pages={pages}
        caption="Deliveries"
        columns={columnsFor(pathOf)}
        keyOf={({ deliveryId }) => deliveryId}
        one="delivery"
        many="deliveries"
        empty={<EmptyState title="No deliveries">Nothing matches.</EmptyState>}
      />
    </>
  );
}

function useDeliveries(workspaceId: string) {
  const channel = chosenChannel();
  const filters = { ...filtersOf(query.value), ...(channel !== null && { channels: [channel] }) };
  return usePages(
    async (cursor) => {
      const params = { query: { ...listQueryOf(filters), ...(cursor !== undefined && { cursor }) } };
      const { deliveries, nextCursor } = await apiIn(workspaceId).get('/deliveries', { params });
      return { items: deliveries, nextCursor };
    },
    [workspaceId, JSON.stringify(filters)],
  );
}

const columnsFor = (pathOf: (deliveryId: string) => string): readonly Column<DeliverySummary>[] => [
  {
    head: 'Received',
    cell: ({ deliveryId, receivedAt }) => <a href={pathOf(deliveryId)}>{formatReceivedAt(receivedAt, new Date())}</a>,
  },
  { head: 'Status', cell: ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge> },
  { head: 'Event', cell: ({ eventType }) => eventType },
  { head: 'Sender', cell: ({ sender }) => sender },
  { head: 'Destination', cell: ({ destination }) => (destination ? destinationName(destination) : '–') },
  { head: 'Note', isWide: true, cell: (delivery) => deliveryNote(delivery, new Date()) },
];
