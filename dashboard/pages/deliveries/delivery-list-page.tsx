import { useMemo } from 'preact/hooks';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { query } from '../../routes/router.ts';
import { type Channel, useChannelChoice } from '../channels/use-channels.ts';
import { type DeliveryFilters, filtersOf } from './delivery-filters.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { FilterForm } from './filter-form.tsx';
import { TailBar } from './tail-bar.tsx';
import { useDeliveryFeed } from './use-delivery-feed.ts';

export function Page() {
  const { organizationId } = useOrganization();
  const { id, name } = useWorkspace();
  const channels = useChannelChoice(id);
  const params = query.value;
  const only = channels?.length === 1 ? channels[0] : undefined;
  // A workspace with one channel needs no channel filter or column.
  const filters = { ...(only && { channel: only.id }), ...filtersOf(params) };
  const replay = workspacePath(organizationId, id, `replays/new?${params}`);
  return (
    <>
      <PageHeader
        title="Deliveries"
        windowTitle={`Deliveries · ${name}`}
        actions={
          <a class="button plain" href={replay}>
            Replay these events
          </a>
        }
      />
      {channels && <FilterForm channels={channels} />}
      {channels ? (
        <Feed key={`${id} ${JSON.stringify(filters)}`} filters={filters} workspaceId={id} channels={channels} />
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
  const shown = useDeliveryFeed(workspaceId, filters);
  const { feed } = shown;
  const { error, isLoaded } = feed.state();
  const pathOf = (deliveryId: string) => workspacePath(organizationId, workspaceId, `deliveries/${deliveryId}`);
  const channelNames = useMemo(() => {
    return filters.channel === undefined ? new Map(channels.map((one) => [one.id, one.displayName])) : null;
  }, [channels]);
  const isEmpty = isLoaded && feed.list.size() === 0;
  const filterCount = Object.keys(filters).length - (channels.length === 1 ? 1 : 0);
  return (
    <>
      <TailBar feed={feed} />
      <ErrorBox error={error} onRetry={() => void feed.reload()} />
      {!isLoaded && !error && <Loading />}
      {isEmpty && <NoDeliveries isFiltered={filterCount > 0} channelId={filters.channel} />}
      {isLoaded && !isEmpty && <DeliveryRows shown={shown} pathOf={pathOf} channelNames={channelNames} />}
    </>
  );
}

function NoDeliveries({
  isFiltered,
  channelId,
}: {
  readonly isFiltered: boolean;
  readonly channelId: string | undefined;
}) {
  if (isFiltered) {
    return <EmptyState title="No matching deliveries">Clear a filter or widen the time range.</EmptyState>;
  }
  return (
    <EmptyState title="No deliveries yet" command={`channels deliveries follow ${channelId ?? '<channel>'}`}>
      Deliveries appear here as soon as a channel receives an event. This page updates automatically.
    </EmptyState>
  );
}
