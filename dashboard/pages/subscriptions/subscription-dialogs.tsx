import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { typicalEvents } from '../../../contract/webhooks/sample-event.ts';
import type { EventType } from '../../../contract/event-types.ts';
import type { ChannelType } from '../channels/use-channel.ts';
import { TestTypeField } from '../destinations/test-type-field.tsx';
import { TestResult } from '../destinations/test-result.tsx';

interface SubscriptionProps {
  readonly channelId: string;
  readonly subscription: Schema<'EventSubscription'>;
  readonly onClose: () => void;
}

export function DeleteSubscriptionDialog(props: SubscriptionProps & { readonly onDeleted: () => Promise<void> }) {
  const { channelId: ch, subscription, onDeleted, onClose } = props;
  const { subscriptionId: sub, url, label } = subscription;
  return (
    <ConfirmDialog
      title={`Delete subscription ${label ?? url}?`}
      submit="Delete subscription"
      onConfirm={async () => {
        await api.delete('/channels/{ch}/subscriptions/{sub}', { params: { path: { ch, sub } } });
        toast('Subscription deleted.');
        await onDeleted();
      }}
      onClose={onClose}
    >
      <p>Its waiting deliveries are cancelled.</p>
    </ConfirmDialog>
  );
}

type TestProps = SubscriptionProps & { readonly channelType: ChannelType };

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
        <Button tone="primary" busy={test.isBusy} onClick={() => void test.run()}>
          {result ? 'Send again' : 'Send test event'}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
