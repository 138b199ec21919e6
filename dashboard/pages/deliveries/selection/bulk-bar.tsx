import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { formatNumber, pluralize } from '../../../kit/format/pluralize.ts';
import { toast } from '../../../kit/toast.tsx';
import { apiIn } from '../../../session/api.ts';
import type { DeliveryFilters } from '../filters/delivery-filters.ts';
import { type BulkAction, BulkDialog } from './bulk-dialog.tsx';
import { loadMatching } from './load-matching.ts';
import type { SelectedRows } from './selected-rows.ts';

interface BulkBarProps {
  readonly selected: SelectedRows;
  readonly onSelected: (selected: SelectedRows) => void;
  readonly workspaceId: string;
  readonly filters: DeliveryFilters;
  readonly pathOf: (deliveryId: string) => string;
  readonly onEnded: () => void;
}

/** One request each. More are a bulk replay's work. */
const MAX_SELECTED = 500;

/** Appears while something is selected. */
export function BulkBar({ selected, onSelected, workspaceId, filters, pathOf, onEnded }: BulkBarProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  const [isFinding, setFinding] = useState(false);
  const { size } = selected.ids;
  const selectAll = async (): Promise<void> => {
    setFinding(true);
    try {
      const { signal } = new AbortController();
      const found = await loadMatching({
        ...{ client: apiIn(workspaceId), filters, max: MAX_SELECTED, signal },
        onProgress: () => undefined,
      });
      onSelected({ ids: new Set(found.deliveries.map(({ deliveryId }) => deliveryId)), anchor: null });
      if (found.hasMore)
        toast(`The newest ${formatNumber(MAX_SELECTED)} are selected. Create a replay for more.`, 'warning');
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'warning');
    } finally {
      setFinding(false);
    }
  };
  if (size === 0) return null;
  const isTooMany = size > MAX_SELECTED;
  return (
    <div class="bulk-bar" role="group" aria-label="Selected deliveries">
      <strong role="status">{pluralize(size, 'selected', 'selected')}</strong>
      {isTooMany && <span class="soft">At most {MAX_SELECTED} at once.</span>}
      <Button small disabled={isTooMany} onClick={() => setAction('retry')}>
        Retry
      </Button>
      <Button small disabled={isTooMany} onClick={() => setAction('cancel')}>
        Cancel
      </Button>
      <Button small disabled={isTooMany} onClick={() => setAction('replay')}>
        Replay
      </Button>
      <Button small tone="quiet" busy={isFinding} onClick={() => void selectAll()}>
        Select all that match
      </Button>
      <Button small tone="quiet" onClick={() => onSelected({ ids: new Set(), anchor: null })}>
        Clear selection
      </Button>
      {action && (
        <BulkDialog
          action={action}
          ids={[...selected.ids]}
          workspaceId={workspaceId}
          pathOf={pathOf}
          onClose={() => setAction(null)}
          onEnded={onEnded}
        />
      )}
    </div>
  );
}
