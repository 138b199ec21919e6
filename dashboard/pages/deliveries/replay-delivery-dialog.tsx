import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { useDestinationOptions } from './filters/use-destination-options.ts';

interface ReplayDeliveryDialogProps {
  readonly delivery: Pick<Schema<'Delivery'>, 'deliveryId' | 'channelId' | 'destination'>;
  readonly workspaceId: string;
  readonly onClose: () => void;
}

export function ReplayDeliveryDialog({ delivery, workspaceId, onClose }: ReplayDeliveryDialogProps) {
  const { deliveryId: wd, channelId } = delivery;
  const { organizationId } = useOrganization();
  const [destination, setDestination] = useState('');
  const [key] = useState(idempotencyKey);
  const targets = useDestinationOptions(channelId);
  const action = useAction(async () => {
    const params = { path: { wd }, header: { 'Idempotency-Key': `${key}-${destination}` } };
    const body = destination === '' ? {} : { destination };
    const made = await apiIn(workspaceId).post('/deliveries/{wd}/replay', { params, body });
    onClose();
    toast('Event replayed. This is the new delivery.');
    navigate(workspacePath(organizationId, workspaceId, `deliveries/${made.deliveryId}`));
  });
  return (
    <Dialog title="Replay event" onClose={onClose}>
      <Form action={action} submit="Replay event" onCancel={onClose}>
        <p>Sends the event again as a new delivery, outside conversation order.</p>
        <SelectField
          label="Destination"
          value={destination}
          options={[['', 'Original destination'], ...targets]}
          onValue={setDestination}
        />
      </Form>
    </Dialog>
  );
}
