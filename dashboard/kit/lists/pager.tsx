import { Button } from '../button.tsx';
import { ErrorBox } from '../error-box.tsx';
import type { Pages } from './use-pages.ts';

interface PagerProps<Item> {
  readonly pages: Pages<Item>;
  readonly one: string;
  readonly many: string;
}

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
          Load more
        </Button>
      )}
      <ErrorBox error={error} />
    </div>
  );
}
