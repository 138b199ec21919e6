import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { apiIn } from '../../session/api.ts';
import type { PageProps } from '../../routes/route.ts';
import { FindingView } from '../destinations/finding-view.tsx';
import { destinationFinding, waitingCount } from '../destinations/health-findings.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { typicalEvents } from '../../../contract/webhooks/sample-event.ts';
import type { EventType } from '../../../contract/event-types.ts';
import type { ChannelType } from '../channels/use-channel.ts';
import { TestTypeField } from '../destinations/test-type-field.tsx';
import { PastTests } from '../destinations/past-tests.tsx';
import { TestResult } from '../destinations/test-result.tsx';
import { useDestinations } from '../destinations/use-destinations.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/webhook'>) {
  return (
    <ChannelLayout params={params} about="Webhook">
      {(channel, reload) => <Webhook workspaceId={params.ws} channel={channel} onChannelChanged={reload} />}
    </ChannelLayout>
  );
}

interface WebhookProps {
  readonly workspaceId: string;
  readonly channel: Schema<'Channel'>;
  readonly onChannelChanged: () => Promise<void>;
}

function Webhook({ workspaceId, channel, onChannelChanged }: WebhookProps) {
  const params = { path: { ch: channel.id } };
  const config = useLoad(() => apiIn(workspaceId).get('/webhook-config/{ch}', { params }), [channel.id]);
  const health = useDestinations(channel.id);
  const current = health.value?.find(({ type, isKept }) => type === 'webhook' && !isKept);
  const onChanged = async () => {
    await Promise.all([config.reload(), health.reload(), onChannelChanged()]);
  };
  if (!config.value) {
    return config.error ? <ErrorBox error={config.error} onRetry={() => void config.reload()} /> : <Loading />;
  }
  const { webhookUrl, verifiedAt, lastVerification } = config.value;
  return (
    <>
      <Panel title="Webhook">
        {webhookUrl !== null && current && (
          <div class="findings apart">
            <FindingView finding={destinationFinding(current, new Date())} />
            {verifiedAt !== null && (
              <p class="soft">
                Verified <RelativeTime at={verifiedAt} />.
              </p>
            )}
            <RefusedSave verification={lastVerification} />
          </div>
        )}
        <WebhookForm
          workspaceId={workspaceId}
          config={config.value}
          waitingCount={current ? waitingCount(current) : 0}
          onSaved={onChanged}
        />
      </Panel>
      <Tests workspaceId={workspaceId} channel={channel} hasWebhook={webhookUrl !== null} />
      <WebhookSecret workspaceId={workspaceId} channelId={channel.id} />
      {webhookUrl !== null && <ClearPanel workspaceId={workspaceId} channelId={channel.id} onCleared={onChanged} />}
    </>
  );
}

function RefusedSave({ verification }: { readonly verification: Schema<'WebhookConfig'>['lastVerification'] }) {
  if (!verification || verification.ok) return null;
  const { at, url, failure } = verification;
  return (
    <p class="soft">
      The last save of <code>{url}</code> was refused <RelativeTime at={at} />: {failure}
    </p>
  );
}

interface WebhookPanelProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

interface TestsProps {
  readonly workspaceId: string;
  readonly channel: Schema<'Channel'>;
  readonly hasWebhook: boolean;
}

function Tests({ workspaceId, channel: { id, type }, hasWebhook }: TestsProps) {
  const [latestId, setLatestId] = useState<string | null>(null);
  return (
    <>
      {hasWebhook && <TestPanel workspaceId={workspaceId} channelId={id} channelType={type} onTested={setLatestId} />}
      <PastTests workspaceId={workspaceId} channelId={id} latestId={latestId} />
    </>
  );
}

interface TestPanelProps extends WebhookPanelProps {
  readonly channelType: ChannelType;
  readonly onTested: (deliveryId: string) => void;
}

function TestPanel({ workspaceId, channelId: ch, channelType, onTested }: TestPanelProps) {
  const [result, setResult] = useState<Schema<'DestinationTest'> | null>(null);
  const [eventType, setEventType] = useState<EventType>(typicalEvents[channelType]);
  const action = useAction(async () => {
    const params = { path: { ch } };
    const tested = await apiIn(workspaceId).post('/webhook-config/{ch}/test', { params, body: { eventType } });
    setResult(tested);
    onTested(tested.deliveryId);
  });
  const send = (
    <Button small busy={action.isBusy} onClick={() => void action.run()}>
      Send test event
    </Button>
  );
  return (
    <Panel title="Test" actions={send}>
      <p>Sends a signed sample event to the saved URL. It does not appear in the list of deliveries.</p>
      <TestTypeField channelType={channelType} value={eventType} onValue={setEventType} />
      <ErrorBox error={action.error} />
      {result && <TestResult result={result} />}
    </Panel>
  );
}

function ClearPanel({ workspaceId, channelId: ch, onCleared }: WebhookPanelProps & { onCleared: () => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Clear webhook">
      <p>Stops sending events to this URL. Subscriptions and listeners keep receiving events.</p>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Clear webhook
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Clear the webhook?"
          submit="Clear webhook"
          onConfirm={async () => {
            await apiIn(workspaceId).delete('/webhook-config/{ch}', { params: { path: { ch } } });
            toast('Webhook cleared.');
            await onCleared();
          }}
          onClose={() => setAsking(false)}
        >
          <p>Waiting deliveries are cancelled. New events go only to subscriptions and listeners.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
