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

/** What can be done with a delivery as it is now. */
export function DeliveryActions({ delivery, workspaceId, onChanged }: DeliveryActionsProps) {
  const { deliveryId: wd, status, destination } = delivery;
  const [open, setOpen] = useState<'cancel' | 'replay' | null>(null);
  const isWaiting = status === 'pending' || status === 'retrying';
  const params = { path: { wd } };
  const retry = useAction(async () => {
    await apiIn(workspaceId).post('/deliveries/{wd}/retry', { params });
    toast(isWaiting ? 'It is sent now.' : 'It is sent again, by a new schedule.');
    await onChanged();
  });
  return (
    <>
      <ErrorBox error={retry.error} />
      {status !== 'delivered' && destination !== null && (
        <Button tone="primary" busy={retry.isBusy} onClick={() => void retry.run()}>
          {isWaiting ? 'Retry now' : 'Retry'}
        </Button>
      )}
      {isWaiting && <Button onClick={() => setOpen('cancel')}>Cancel …</Button>}
      <Button onClick={() => setOpen('replay')}>Replay …</Button>
      {open === 'cancel' && (
        <ConfirmDialog
          title="Cancel this delivery?"
          submit="Cancel it"
          onConfirm={async () => {
            await apiIn(workspaceId).post('/deliveries/{wd}/cancel', { params });
            toast('It is cancelled.');
            await onChanged();
          }}
          onClose={() => setOpen(null)}
        >
          <p>It is not tried again. An answer that is on its way is still noted.</p>
        </ConfirmDialog>
      )}
      {open === 'replay' && (
        <ReplayDeliveryDialog delivery={delivery} workspaceId={workspaceId} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
