import { Button } from '../../kit/button.tsx';
import { counted, numberText } from '../../kit/texts/counted.ts';
import type { DeliveryFeed, TailState } from './delivery-feed.ts';

const words: Readonly<Record<TailState, string>> = {
  off: 'Not followed',
  opening: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, reconnecting …',
  refused: 'The service has ended the live view',
};

/** How many deliveries are shown, whether they are followed, and a way to hold them still. */
export function TailBar({ feed }: { readonly feed: DeliveryFeed }) {
  const { tail, isPaused, heldCount, isLoading, isLoaded, hasMore } = feed.state();
  const count = feed.list.size();
  return (
    <div class="tail-bar">
      <p role="status" class={`tail ${isPaused ? 'paused' : tail}`}>
        <span class="dot" aria-hidden="true" />
        {isPaused ? `Paused${heldCount > 0 ? `, ${numberText(heldCount)} held back` : ''}` : words[tail]}
      </p>
      <p class="soft">
        {isLoaded && counted(count, 'delivery', 'deliveries')}
        {isLoaded && hasMore && ' loaded, more as you scroll'}
        {isLoading && ' · loading …'}
      </p>
      <Button small aria-pressed={isPaused} onClick={() => (isPaused ? feed.resume() : feed.pause())}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  );
}
