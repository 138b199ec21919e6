import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type ChannelEventType, channelEventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { waitingCount } from '../destinations/health-findings.ts';
import type { ChannelType } from '../channels/use-channel.ts';
import { PendingChoiceField } from '../destinations/pending-choice-field.tsx';
import { useDestinations } from '../destinations/use-destinations.ts';

interface SubscriptionDialogProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
  readonly subscription: Schema<'EventSubscription'> | null;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

export function SubscriptionDialog(props: SubscriptionDialogProps) {
  const { channelId: ch, channelType, subscription, onSaved, onClose } = props;
  const offered = channelEventTypes.filter((type) => fitsChannelType(type, channelType));
  const [url, setUrl] = useState(subscription?.url ?? '');
  const [label, setLabel] = useState(subscription?.label ?? '');
  const [events, setEvents] = useState<readonly ChannelEventType[]>(subscription?.events ?? offered);
  const [pending, setPending] = useState<PendingChoice>('follow');
  const waiting = useWaiting(ch, subscription?.subscriptionId);
  const isUrlChanged = subscription !== null && url.trim() !== subscription.url;
  const mustChoose = isUrlChanged && waiting > 0;
  const action = useAction(async () => {
    const fields = { url: url.trim(), label: label.trim() || null, events: [...events] };
    if (subscription) {
      const params = { path: { ch, sub: subscription.subscriptionId } };
      const body = { ...fields, ...(mustChoose && { pending }) };
      await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body });
    } else {
      await api.post('/channels/{ch}/subscriptions', { params: { path: { ch } }, body: fields });
    }
    await onSaved();
    toast(subscription ? 'Subscription saved.' : 'Subscription created.');
    onClose();
  });
  return (
    <Dialog title={subscription ? 'Edit subscription' : 'Create subscription'} onClose={onClose}>
      <Form
        action={action}
        submit={subscription ? 'Save' : 'Create subscription'}
        disabled={events.length === 0}
        onCancel={onClose}
      >
        <TextField label="URL" type="url" required isFirst spellcheck={false} value={url} onValue={setUrl} />
        <TextField label="Label (optional)" maxLength={200} value={label} onValue={setLabel} />
        <CheckboxGroup
          legend="Events"
          options={offered.map((type) => [type, type])}
          values={events}
          onValues={setEvents}
        />
        {mustChoose && <PendingChoiceField waitingCount={waiting} value={pending} onValue={setPending} />}
      </Form>
    </Dialog>
  );
}

function useWaiting(channelId: string, subscriptionId: string | undefined): number {
  const { value } = useDestinations(channelId);
  const found = value?.find((one) => subscriptionId !== undefined && one.subscriptionId === subscriptionId);
  return found ? waitingCount(found) : 0;
}
