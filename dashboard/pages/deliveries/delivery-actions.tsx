import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { type Command, useCommands } from '../../kit/commands/commands.ts';
import { FormDialog, useDialog } from '../../kit/dialogs.tsx';
import { SelectField } from '../../kit/forms.tsx';
import type { IconName } from '../../kit/icon.tsx';
import { Button, ErrorBox } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { navigate } from '../../routes/router.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { useDestinationOptions } from '../destinations/use-destinations.ts';

interface DeliveryActionsProps {
  readonly delivery: Schema<'Delivery'>;
}

const commandOf = (icon: IconName, label: string, run: () => unknown): Command => {
  return { id: `delivery ${icon}`, group: 'This delivery', icon, label, run };
};

export function DeliveryActions({ delivery }: DeliveryActionsProps) {
  const { api } = usePlace();
  const { deliveryId: wd, status, destination } = delivery;
  const dialog = useDialog();
  const isWaiting = status === 'pending' || status === 'retrying';
  const params = { path: { wd } };
  const retry = useAction(async () => {
    await api.post('/deliveries/{wd}/retry', { params });
    toast(isWaiting ? 'Retrying the delivery now.' : 'Retrying the delivery with a new schedule.');
  });
  const cancel = () =>
    dialog.confirm({
      title: 'Cancel this delivery?',
      submit: 'Cancel delivery',
      dismiss: 'Keep delivery',
      about: 'No further attempts are made. If an attempt is in progress, its response is still recorded.',
      act: () => api.post('/deliveries/{wd}/cancel', { params }),
      done: 'Delivery cancelled.',
    });
  const replay = () => dialog.open((close) => <ReplayDialog delivery={delivery} onClose={close} />);
  const retryLabel = isWaiting ? 'Retry now' : 'Retry delivery';
  const mayRetry = status !== 'delivered' && destination !== null;
  useCommands(
    [
      ...(mayRetry ? [commandOf('refresh', retryLabel, retry.run)] : []),
      ...(isWaiting ? [commandOf('cancel', 'Cancel delivery', cancel)] : []),
      commandOf('replay', 'Replay event', replay),
    ],
    [wd, status],
  );
  return (
    <>
      <ErrorBox error={retry.error} />
      {mayRetry && (
        <Button tone="primary" busy={retry.isBusy} onClick={() => retry.run()}>
          {retryLabel}
        </Button>
      )}
      {isWaiting && <Button onClick={cancel}>Cancel delivery</Button>}
      <Button tone={mayRetry ? 'plain' : 'primary'} onClick={replay}>
        Replay event
      </Button>
      {dialog.shown}
    </>
  );
}

interface ReplayDialogProps extends DeliveryActionsProps {
  readonly onClose: () => void;
}

function ReplayDialog({ delivery: { deliveryId: wd, channelId }, onClose }: ReplayDialogProps) {
  const { api, at } = usePlace();
  const [destination, setDestination] = useState('');
  const [key] = useState(idempotencyKey);
  const targets = useDestinationOptions(channelId);
  const replay = async () => {
    const params = { path: { wd }, header: { 'Idempotency-Key': `${key}-${destination}` } };
    const body = destination === '' ? {} : { destination };
    const made = await api.post('/deliveries/{wd}/replay', { params, body });
    onClose();
    toast('Event replayed. This is the new delivery.');
    navigate(at(`deliveries/${made.deliveryId}`));
  };
  return (
    <FormDialog title="Replay event" submit="Replay event" act={replay} onClose={onClose}>
      <p>Sends the event again as a new delivery, outside conversation order.</p>
      <SelectField
        label="Destination"
        value={destination}
        options={[['', 'Original destination'], ...targets]}
        onValue={setDestination}
      />
    </FormDialog>
  );
}
