import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import {
  type ChannelEventType,
  channelEventTypes,
  type EventType,
  fitsChannelType,
} from '../../../contract/event-types.ts';
import { typicalEvents } from '../../../contract/webhooks/sample-event.ts';
import { useAction } from '../../kit/calls.ts';
import { Dialog, FormDialog } from '../../kit/dialogs.tsx';
import { CheckboxGroup, TextField, useFields } from '../../kit/forms.tsx';
import { Button, ErrorBox, Loading } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import type { ChannelType } from '../channels/use-channels.ts';
import { waitingCount } from '../destinations/health-findings.ts';
import { useDestinations } from '../destinations/use-destinations.ts';
import { TestResult, TestTypeField } from '../webhooks/tests.tsx';
import { PendingChoiceField } from '../webhooks/webhook-form.tsx';

export type Subscription = Schema<'EventSubscription'>;

interface SubscriptionDialogProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** Null for a new one. */
  readonly subscription: Subscription | null;
  readonly onClose: () => void;
}

export function SubscriptionDialog({ channelId: ch, channelType, subscription, onClose }: SubscriptionDialogProps) {
  const offered = channelEventTypes.filter((type) => fitsChannelType(type, channelType));
  const events: readonly ChannelEventType[] = subscription?.events ?? offered;
  const { fields, bind } = useFields({
    url: subscription?.url ?? '',
    label: subscription?.label ?? '',
    events,
    pending: 'follow' as PendingChoice,
  });
  const url = fields.url.trim();
  const waiting = useWaiting(ch, subscription?.subscriptionId);
  const mustChoose = subscription !== null && url !== subscription.url && waiting > 0;
  const save = async () => {
    const body = { url, label: fields.label.trim() || null, events: [...fields.events] };
    if (subscription) {
      await api.patch('/channels/{ch}/subscriptions/{sub}', {
        params: { path: { ch, sub: subscription.subscriptionId } },
        body: { ...body, ...(mustChoose && { pending: fields.pending }) },
      });
    } else {
      await api.post('/channels/{ch}/subscriptions', { params: { path: { ch } }, body });
    }
    toast(subscription ? 'Subscription saved.' : 'Subscription created.');
  };
  return (
    <FormDialog
      title={subscription ? 'Edit subscription' : 'Create subscription'}
      submit={subscription ? 'Save' : 'Create subscription'}
      act={save}
      disabled={fields.events.length === 0}
      onClose={onClose}
    >
      <TextField label="URL" type="url" required isFirst spellcheck={false} {...bind('url')} />
      <TextField label="Label (optional)" maxLength={200} {...bind('label')} />
      <CheckboxGroup legend="Events" options={offered} {...bind('events')} />
      {mustChoose && <PendingChoiceField waitingCount={waiting} {...bind('pending')} />}
    </FormDialog>
  );
}

function useWaiting(channelId: string, subscriptionId: string | undefined): number {
  const { value } = useDestinations(channelId);
  const found = value?.find((one) => subscriptionId !== undefined && one.subscriptionId === subscriptionId);
  return found ? waitingCount(found) : 0;
}

type TestProps = SubscriptionDialogProps & { readonly subscription: Subscription };

export function TestSubscriptionDialog({ channelId: ch, channelType, subscription, onClose }: TestProps) {
  const { subscriptionId: sub, label, url } = subscription;
  const [eventType, setEventType] = useState<EventType>(subscription.events[0] ?? typicalEvents[channelType]);
  const [result, setResult] = useState<Schema<'DestinationTest'> | null>(null);
  const test = useAction(async () => {
    const request = { params: { path: { ch, sub } }, body: { eventType } };
    setResult(await api.post('/channels/{ch}/subscriptions/{sub}/test', request));
  });
  return (
    <Dialog title={`Test ${label ?? url}`} isWide onClose={onClose}>
      <TestTypeField channelType={channelType} value={eventType} onValue={setEventType} />
      <ErrorBox error={test.error} />
      {test.isBusy && <Loading />}
      {result && !test.isBusy && <TestResult result={result} />}
      <div class="form-actions">
        <Button tone="primary" busy={test.isBusy} onClick={() => test.run()}>
          {result ? 'Send again' : 'Send test event'}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
