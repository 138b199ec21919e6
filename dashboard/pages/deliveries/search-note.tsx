import { Button } from '../../kit/button.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { DeliveryFeed } from './delivery-feed.ts';

/** Says how much of the past a search for a text has compared. Nothing is stored that could find a text at once. */
export function SearchNote({ feed }: { readonly feed: DeliveryFeed }) {
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
