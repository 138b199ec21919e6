import { Button } from '../button.tsx';
import { ErrorBox } from '../error-box.tsx';
import type { Pages } from './use-pages.ts';

interface PagerProps<Item> {
  readonly pages: Pages<Item>;
  /** The items in words, of one and of several: "key", "keys". */
  readonly one: string;
  readonly many: string;
}

/** How many of a list are shown, and the way to more of them. */
export function Pager<Item>({ pages, one, many }: PagerProps<Item>) {
  const { items, hasMore, isLoading, error, loadMore } = pages;
  if (!items) return null;
  return (
    <div class="pager">
      <p role="status">
        {items.length} {items.length === 1 ? one : many}
        {hasMore ? ' shown' : ''}
      </p>
      {hasMore && (
        <Button small busy={isLoading} onClick={() => void loadMore()}>
          Show more
        </Button>
      )}
      <ErrorBox error={error} />
    </div>
  );
}
