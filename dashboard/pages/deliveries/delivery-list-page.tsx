import { useState } from 'preact/hooks';
import { formatNumber, pluralize } from '../../kit/format/format.ts';
import { PageHeader } from '../../kit/page.tsx';
import { Button, EmptyState, ErrorBox, Loading, RelativeTime } from '../../kit/parts.tsx';
import { query } from '../../routes/router.ts';
import { usePlace, useWorkspace } from '../../session/page-outlet.tsx';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { DeliveryFeed, TailState } from './delivery-feed.ts';
import { type DeliveryFilters, filtersOf } from './delivery-filters.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { DeliveryHistogram } from './histogram.tsx';
import { nothingSelected } from './selection.ts';
import { useDeliveryFeed } from './use-delivery-feed.ts';

export function Page() {
  const { id, name } = useWorkspace();
  const { at } = usePlace();
  const channels = useChannelChoice(id);
  const params = query.value;
  const filters = filtersOf(params);
  return (
    <>
      <PageHeader
        title="Deliveries"
        windowTitle={`Deliveries · ${name}`}
        actions={
          <>
            <ExportMenu filters={filters} />
            <a class="button plain" href={at(`replays/new?${params}`)}>
              Replay these events
            </a>
          </>
        }
      />
      {channels && <FilterBar channels={channels} />}
      {channels ? (
        <>
          <DeliveryHistogram filters={filters} />
          <Feed key={`${id} ${JSON.stringify(filters)}`} filters={filters} channels={channels} />
        </>
      ) : (
        <Loading />
      )}
    </>
  );
}

interface FeedProps {
  readonly filters: DeliveryFilters;
  readonly channels: readonly Channel[];
}

function Feed({ filters, channels }: FeedProps) {
  const { workspaceId, at } = usePlace();
  const shown = useDeliveryFeed(workspaceId, withOnlyChannel(filters, channels));
  const [selected, setSelected] = useState(nothingSelected);
  const { feed } = shown;
  const { error, isLoaded } = feed.state();
  const pathOf = (deliveryId: string) => at(`deliveries/${deliveryId}`);
  const isEmpty = isLoaded && feed.list.size() === 0;
  return (
    <>
      <TailBar feed={feed} />
      <SearchNote feed={feed} />
      <BulkBar {...{ selected, filters, pathOf }} onSelected={setSelected} onEnded={() => feed.refresh()} />
      <ErrorBox error={error} onRetry={() => void feed.reload()} />
      {!isLoaded && !error && <Loading />}
      {isEmpty && <NoDeliveries filters={filters} channels={channels} feed={feed} />}
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
  readonly feed: DeliveryFeed;
  readonly filters: DeliveryFilters;
  readonly channels: readonly Channel[];
}

function NoDeliveries({ filters, channels, feed }: NoDeliveriesProps) {
  const { search, hasMore } = feed.state();
  if (search?.isScan && hasMore) {
    return (
      <EmptyState title="Nothing found yet">
        Search further back with the button above, or narrow the time range to the day of the delivery.
      </EmptyState>
    );
  }
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

const tailLabels: Readonly<Record<TailState, string>> = {
  off: 'Live updates off',
  opening: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost. Reconnecting…',
  refused: 'Live updates stopped by the service',
};

function TailBar({ feed }: { readonly feed: DeliveryFeed }) {
  const { tail, isPaused, heldCount, isLoading, isLoaded, hasMore, search } = feed.state();
  const count = feed.list.size();
  return (
    <div class="tail-bar">
      <p role="status" class={`tail ${isPaused ? 'paused' : tail}`}>
        <span class="dot" aria-hidden="true" />
        {isPaused ? `Paused${heldCount > 0 ? `, ${formatNumber(heldCount)} new` : ''}` : tailLabels[tail]}
      </p>
      <p class="soft">
        {isLoaded && pluralize(count, 'delivery', 'deliveries')}
        {isLoaded && hasMore && (search?.isScan ? ' found' : ' loaded. Scroll for more.')}
        {isLoading && ' · Loading…'}
      </p>
      {!search && (
        <Button small aria-pressed={isPaused} onClick={() => (isPaused ? feed.resume() : feed.pause())}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
    </div>
  );
}

/** Says how much of the past a search for a text has compared. Nothing is stored that could find a text at once. */
function SearchNote({ feed }: { readonly feed: DeliveryFeed }) {
  const { search, hasMore, isLoading } = feed.state();
  if (search?.isScan !== true) return null;
  return (
    <p class="search-note" role="status">
      <span>
        {hasMore ? 'Searched the newest ' : 'Searched all '}
        {formatNumber(search.scannedCount)} deliveries that the filters leave
        {search.scannedBackTo !== null && hasMore && (
          <>
            , created since <RelativeTime at={search.scannedBackTo} />
          </>
        )}
        .
      </span>
      {hasMore && (
        <Button small busy={isLoading} onClick={() => void feed.loadMore()}>
          Search further back
        </Button>
      )}
    </p>
  );
}
