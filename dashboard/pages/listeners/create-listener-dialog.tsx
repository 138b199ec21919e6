import { useState } from 'preact/hooks';
import { type EventType, eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { CheckGroup } from '../../kit/forms/check-group.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import type { ChannelType } from '../channels/use-channel.ts';

interface CreateListenerProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
  readonly onCreated: () => Promise<void>;
  readonly onClose: () => void;
}

/** Makes a listener, of all events unless some are left out. */
export function CreateListenerDialog({ channelId: ch, channelType, onCreated, onClose }: CreateListenerProps) {
  const offered = eventTypes.filter((type) => fitsChannelType(type, channelType));
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly EventType[]>(offered);
  const [key] = useState(idempotencyKey);
  const action = useAction(async () => {
    const isAll = chosen.length === offered.length;
    const body = { label: label.trim() || null, eventTypes: isAll ? null : [...chosen] };
    const params = { path: { ch }, header: { 'Idempotency-Key': key } };
    await api.post('/channels/{ch}/listeners', { params, body });
    await onCreated();
    toast('The listener is made.');
    onClose();
  });
  return (
    <Dialog title="New listener" onClose={onClose}>
      <Form action={action} submit="Create" disabled={chosen.length === 0} onCancel={onClose}>
        <TextField
          label="Label (optional)"
          hint="Whose computer it is."
          maxLength={200}
          isFirst
          value={label}
          onValue={setLabel}
        />
        <CheckGroup
          legend="Events"
          options={offered.map((type) => [type, type])}
          values={chosen}
          onValues={setChosen}
        />
      </Form>
    </Dialog>
  );
}
