import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { type Command, useCommands } from '../../kit/commands/commands.ts';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import type { IconName } from '../../kit/icon.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { ReplayDeliveryDialog } from './replay-delivery-dialog.tsx';

interface DeliveryActionsProps {
  readonly delivery: Schema<'Delivery'>;
  readonly workspaceId: string;
  readonly onChanged: () => Promise<void>;
}

const commandOf = (icon: IconName, label: string, run: () => unknown): Command => {
  return { id: `delivery ${icon}`, group: 'This delivery', icon, label, run };
};

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
  const retryLabel = isWaiting ? 'Retry now' : 'Retry delivery';
  const mayRetry = status !== 'delivered' && destination !== null;
  useCommands(
    [
      ...(mayRetry ? [commandOf('refresh', retryLabel, retry.run)] : []),
      ...(isWaiting ? [commandOf('cancel', 'Cancel delivery', () => setOpen('cancel'))] : []),
      commandOf('replay', 'Replay event', () => setOpen('replay')),
    ],
    [wd, status],
  );
  return (
    <>
      <ErrorBox error={retry.error} />
      {mayRetry && (
        <Button tone="primary" busy={retry.isBusy} onClick={() => void retry.run()}>
          {retryLabel}
        </Button>
      )}
      {isWaiting && <Button onClick={() => setOpen('cancel')}>Cancel delivery</Button>}
      <Button tone={mayRetry ? 'plain' : 'primary'} onClick={() => setOpen('replay')}>
        Replay event
      </Button>
      {open === 'cancel' && (
        <CancelDialog
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await apiIn(workspaceId).post('/deliveries/{wd}/cancel', { params });
            toast('Delivery cancelled.');
            await onChanged();
          }}
        />
      )}
      {open === 'replay' && (
        <ReplayDeliveryDialog delivery={delivery} workspaceId={workspaceId} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

interface CancelDialogProps {
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function CancelDialog(props: CancelDialogProps) {
  return (
    <ConfirmDialog title="Cancel this delivery?" submit="Cancel delivery" dismiss="Keep delivery" {...props}>
      <p>No further attempts are made. If an attempt is in progress, its response is still recorded.</p>
    </ConfirmDialog>
  );
}
