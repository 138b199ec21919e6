import { useState } from 'preact/hooks';
import { type EventType, eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
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
    toast('Listener created.');
    onClose();
  });
  return (
    <Dialog title="Create listener" onClose={onClose}>
      <Form action={action} submit="Create listener" disabled={chosen.length === 0} onCancel={onClose}>
        <TextField
          label="Label (optional)"
          hint="For example, the name of the computer that reads it."
          maxLength={200}
          isFirst
          value={label}
          onValue={setLabel}
        />
        <CheckboxGroup
          legend="Events"
          options={offered.map((type) => [type, type])}
          values={chosen}
          onValues={setChosen}
        />
      </Form>
    </Dialog>
  );
}
