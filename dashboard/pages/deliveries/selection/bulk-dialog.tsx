import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../client/errors.ts';
import { Button } from '../../../kit/button.tsx';
import { idempotencyKey } from '../../../kit/calls/idempotency-key.ts';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { pluralize } from '../../../kit/format/pluralize.ts';
import { apiIn } from '../../../session/api.ts';
import { type BulkOutcome, runBulk } from './run-bulk.ts';

export type BulkAction = 'retry' | 'cancel' | 'replay';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly ids: readonly string[];
  readonly workspaceId: string;
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

export function BulkDialog({ action, ids, workspaceId, pathOf, onClose, onEnded }: BulkDialogProps) {
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
    await runBulk({ ids, act: actOf(action, { workspaceId, key }), onOutcome, signal, waitFor });
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

function actOf(action: BulkAction, { workspaceId, key }: { readonly workspaceId: string; readonly key: string }) {
  const client = apiIn(workspaceId);
  return async (wd: string): Promise<unknown> => {
    const path = { wd };
    if (action === 'retry') return await client.post('/deliveries/{wd}/retry', { params: { path } });
    if (action === 'cancel') return await client.post('/deliveries/{wd}/cancel', { params: { path } });
    const header = { 'Idempotency-Key': `${key}-${wd}` };
    return await client.post('/deliveries/{wd}/replay', { params: { path, header }, body: {} });
  };
}

async function waitFor(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.statusCode !== 429) return false;
  const seconds = error.retryAfterSeconds ?? 1;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return true;
}
