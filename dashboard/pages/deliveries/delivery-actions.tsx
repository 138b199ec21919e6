import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { ReplayDeliveryDialog } from './replay-delivery-dialog.tsx';

interface DeliveryActionsProps {
  readonly delivery: Schema<'Delivery'>;
  readonly workspaceId: string;
  readonly onChanged: () => Promise<void>;
}

export function DeliveryActions({ delivery, workspaceId, onChanged }: DeliveryActionsProps) {
  const { deliveryId: wd, status, destination } = delivery;
  const [open, setOpen] = useState<'cancel' | 'replay' | null>(null);
  const isWaiting = status === 'pending' || status === 'retrying';
  const params = { path: { wd } };
  const retry = useAction(async () => {
    await apiIn(workspaceId).post('/deliveries/{wd}/retry', { params });
    toast(isWaiting ? 'Retrying the delivery now.' : 'Retrying the delivery with a new schedule.');
    await onChanged();
  });
  return (
    <>
      <ErrorBox error={retry.error} />
      {status !== 'delivered' && destination !== null && (
        <Button tone="primary" busy={retry.isBusy} onClick={() => void retry.run()}>
          {isWaiting ? 'Retry now' : 'Retry delivery'}
        </Button>
      )}
      {isWaiting && <Button onClick={() => setOpen('cancel')}>Cancel delivery</Button>}
      <Button
        tone={status === 'delivered' || destination === null ? 'primary' : 'plain'}
        onClick={() => setOpen('replay')}
      >
        Replay event
      </Button>
      {open === 'cancel' && (
        <ConfirmDialog
          title="Cancel this delivery?"
          submit="Cancel delivery"
          dismiss="Keep delivery"
          onConfirm={async () => {
            await apiIn(workspaceId).post('/deliveries/{wd}/cancel', { params });
            toast('Delivery cancelled.');
            await onChanged();
          }}
          onClose={() => setOpen(null)}
        >
          <p>No further attempts are made. If an attempt is in progress, its response is still recorded.</p>
        </ConfirmDialog>
      )}
      {open === 'replay' && (
        <ReplayDeliveryDialog delivery={delivery} workspaceId={workspaceId} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
