import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiClient } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { idempotencyKey } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { formatNumber, pluralize } from '../../kit/format/format.ts';
import { Button } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { usePlace } from '../../session/page-outlet.tsx';
import type { DeliveryFilters } from './delivery-filters.ts';
import { type BulkOutcome, loadMatching, runBulk, type SelectedRows } from './selection.ts';

interface BulkBarProps {
  readonly selected: SelectedRows;
  readonly onSelected: (selected: SelectedRows) => void;
  readonly filters: DeliveryFilters;
  readonly pathOf: (deliveryId: string) => string;
  readonly onEnded: () => void;
}

/** One request each. More are a bulk replay's work. */
const MAX_SELECTED = 500;

/** Appears while something is selected. */
export function BulkBar({ selected, onSelected, filters, pathOf, onEnded }: BulkBarProps) {
  const { api } = usePlace();
  const [action, setAction] = useState<BulkAction | null>(null);
  const [isFinding, setFinding] = useState(false);
  const { size } = selected.ids;
  const selectAll = async (): Promise<void> => {
    setFinding(true);
    try {
      const { signal } = new AbortController();
      const found = await loadMatching({
        client: api,
        filters,
        max: MAX_SELECTED,
        signal,
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
      {(['retry', 'cancel', 'replay'] as const).map((one) => (
        <Button key={one} small disabled={isTooMany} onClick={() => setAction(one)}>
          {words[one][0]}
        </Button>
      ))}
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
          pathOf={pathOf}
          onClose={() => setAction(null)}
          onEnded={onEnded}
        />
      )}
    </div>
  );
}

type BulkAction = 'retry' | 'cancel' | 'replay';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly ids: readonly string[];
  readonly pathOf: (deliveryId: string) => string;
  readonly onClose: () => void;
  readonly onEnded: () => void;
}

const words = {
  retry: [
    'Retry',
    'retried',
    'Waiting deliveries are sent now, ended ones get a new schedule. Delivered ones are left.',
  ],
  cancel: ['Cancel', 'cancelled', 'No further attempts are made. Deliveries that have ended are left as they are.'],
  replay: ['Replay', 'replayed', 'Each event is sent again as a new delivery, outside the order of its conversation.'],
} as const;

function BulkDialog({ action, ids, pathOf, onClose, onEnded }: BulkDialogProps) {
  const { api } = usePlace();
  const [verb, done, explanation] = words[action];
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[] | null>(null);
  const [key] = useState(idempotencyKey);
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const isRunning = outcomes !== null && outcomes.length < ids.length && !running.current.signal.aborted;
  const start = async (): Promise<void> => {
    setOutcomes([]);
    const { signal } = running.current;
    const onOutcome = (outcome: BulkOutcome): void => setOutcomes((before) => [...(before ?? []), outcome]);
    await runBulk({ ids, act: actOf(action, { api, key }), onOutcome, signal, waitFor });
    onEnded();
  };
  const failures = outcomes?.filter(({ error }) => error !== null) ?? [];
  return (
    <Dialog title={`${verb} ${pluralize(ids.length, 'delivery', 'deliveries')}`} onClose={onClose}>
      {outcomes === null ? (
        <p>{explanation}</p>
      ) : (
        <>
          <progress class="progress" max={ids.length} value={outcomes.length} aria-label="Progress" />
          <p role="status">
            {outcomes.length - failures.length} {done}
            {failures.length > 0 && `, ${failures.length} not ${done}`}
            {isRunning && ` of ${ids.length}…`}
          </p>
          <Failures failures={failures} pathOf={pathOf} />
        </>
      )}
      <div class="form-actions">
        {outcomes === null && (
          <Button tone={action === 'cancel' ? 'danger' : 'primary'} onClick={() => void start()}>
            {verb} {pluralize(ids.length, 'delivery', 'deliveries')}
          </Button>
        )}
        <Button
          onClick={() => {
            running.current.abort();
            onClose();
          }}
        >
          {isRunning ? 'Stop' : 'Close'}
        </Button>
      </div>
    </Dialog>
  );
}

interface FailuresProps {
  readonly failures: readonly BulkOutcome[];
  readonly pathOf: (deliveryId: string) => string;
}

function Failures({ failures, pathOf }: FailuresProps) {
  if (failures.length === 0) return null;
  return (
    <ul class="bulk-failures">
      {failures.map(({ deliveryId, error }) => (
        <li key={deliveryId}>
          <a href={pathOf(deliveryId)}>{deliveryId}</a> {error?.message}
        </li>
      ))}
    </ul>
  );
}

function actOf(action: BulkAction, { api, key }: { readonly api: ApiClient; readonly key: string }) {
  return async (wd: string): Promise<unknown> => {
    const path = { wd };
    if (action === 'retry') return await api.post('/deliveries/{wd}/retry', { params: { path } });
    if (action === 'cancel') return await api.post('/deliveries/{wd}/cancel', { params: { path } });
    const header = { 'Idempotency-Key': `${key}-${wd}` };
    return await api.post('/deliveries/{wd}/replay', { params: { path, header }, body: {} });
  };
}

async function waitFor(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.statusCode !== 429) return false;
  const seconds = error.retryAfterSeconds ?? 1;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return true;
}
