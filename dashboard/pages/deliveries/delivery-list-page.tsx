import { useState } from 'preact/hooks';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { query } from '../../routes/router.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { type DeliveryFilters, filtersOf } from './filters/delivery-filters.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { DeliveryHistogram } from './filters/histogram.tsx';
import { SearchNote } from './search-note.tsx';
import { BulkBar } from './selection/bulk-bar.tsx';
import { ExportMenu } from './selection/export-menu.tsx';
import { nothingSelected } from './selection/selected-rows.ts';
import { TailBar } from './tail-bar.tsx';
import { useDeliveryFeed } from './use-delivery-feed.ts';

export function Page() {
  const { organizationId } = useOrganization();
  const { id, name } = useWorkspace();
  const channels = useChannelChoice(id);
  const params = query.value;
  const filters = filtersOf(params);
  const replay = workspacePath(organizationId, id, `replays/new?${params}`);
  return (
    <>
      <PageHeader
        title="Deliveries"
        windowTitle={`Deliveries · ${name}`}
        actions={
          <>
            <ExportMenu workspaceId={id} filters={filters} />
            <a class="button plain" href={replay}>
              Replay these events
            </a>
          </>
        }
      />
      {channels && <FilterBar channels={channels} />}
      {channels ? (
        <>
          <DeliveryHistogram workspaceId={id} filters={filters} />
          <Feed key={`${id} ${JSON.stringify(filters)}`} filters={filters} workspaceId={id} channels={channels} />
        </>
      ) : (
        <Loading />
      )}
    </>
  );
}

interface FeedProps {
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
  readonly channels: readonly Channel[];
}

function Feed({ workspaceId, filters, channels }: FeedProps) {
  const { organizationId } = useOrganization();
  const shown = useDeliveryFeed(workspaceId, withOnlyChannel(filters, channels));
  const [selected, setSelected] = useState(nothingSelected);
  const { feed } = shown;
  const { error, isLoaded } = feed.state();
  const pathOf = (deliveryId: string) => workspacePath(organizationId, workspaceId, `deliveries/${deliveryId}`);
  const isEmpty = isLoaded && feed.list.size() === 0;
  return (
    <>
      <TailBar feed={feed} />
      <SearchNote feed={feed} />
      <BulkBar
        {...{ selected, workspaceId, filters, pathOf }}
        onSelected={setSelected}
        onEnded={() => feed.refresh()}
      />
      <ErrorBox error={error} onRetry={() => void feed.reload()} />
      {!isLoaded && !error && <Loading />}
      {isEmpty && <NoDeliveries filters={filters} channels={channels} />}
      {isLoaded && !isEmpty && (
        <DeliveryRows
          {...{ shown, pathOf, selected }}
          onSelected={setSelected}
          showsChannel={channels.length > 1 && filters.channels?.length !== 1}
        />
      )}
    </>
  );
}

/** A workspace with one channel follows that channel. */
function withOnlyChannel(filters: DeliveryFilters, channels: readonly Channel[]): DeliveryFilters {
  const [only] = channels;
  return channels.length === 1 && only && !filters.channels ? { ...filters, channels: [only.id] } : filters;
}

interface NoDeliveriesProps {
  readonly filters: DeliveryFilters;
  readonly channels: readonly Channel[];
}

function NoDeliveries({ filters, channels }: NoDeliveriesProps) {
  if (Object.keys(filters).length > 0) {
    return <EmptyState title="No matching deliveries">Clear a filter or widen the time range.</EmptyState>;
  }
  const [channelId = '<channel>'] = channels.length === 1 ? channels.map(({ id }) => id) : [];
  return (
    <EmptyState title="No deliveries yet" command={`channels deliveries follow ${channelId}`}>
      Deliveries appear here as soon as a channel receives an event. This page updates automatically.
    </EmptyState>
  );
}
