import { Button } from '../../kit/button.tsx';
import { pluralize, formatNumber } from '../../kit/format/pluralize.ts';
import type { DeliveryFeed, TailState } from './delivery-feed.ts';

const tailLabels: Readonly<Record<TailState, string>> = {
  off: 'Live updates off',
  opening: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost. Reconnecting…',
  refused: 'Live updates stopped by the service',
};

export function TailBar({ feed }: { readonly feed: DeliveryFeed }) {
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
