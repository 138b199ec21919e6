import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import type { EventType } from '../../../contract/event-types.ts';
import { typicalEvents } from '../../../contract/webhooks/sample-event.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { useFields } from '../../kit/forms.tsx';
import { Button, ErrorBox, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { apiIn } from '../../session/api.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { ChannelLayout, type ChannelParams } from '../channels/channel-layout.tsx';
import { DeveloperRoleNotice, SecretPanel } from '../channels/secret-panel.tsx';
import type { ChannelType } from '../channels/use-channels.ts';
import { FindingView } from '../destinations/finding-view.tsx';
import { destinationFinding, waitingCount } from '../destinations/health-findings.ts';
import { useDestinations } from '../destinations/use-destinations.ts';
import { PastTests, TestResult, TestTypeField } from './tests.tsx';
import { PendingChoiceField, type WebhookFields, WebhookForm } from './webhook-form.tsx';

type WebhookConfig = Schema<'WebhookConfig'>;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/webhook'>) {
  return (
    <ChannelLayout params={params} about="Webhook">
      {({ type }) => <Webhook params={params} type={type} />}
    </ChannelLayout>
  );
}

interface WebhookProps {
  readonly params: ChannelParams;
  readonly type: ChannelType;
}

function Webhook({ params, type }: WebhookProps) {
  const { ws, ch } = params;
  const config = useLoad(['webhook-config', ch], () =>
    apiIn(ws).get('/webhook-config/{ch}', { params: { path: { ch } } }),
  );
  return (
    <WhenLoaded of={config}>
      {(value) => (
        <>
          <ConfigPanel ws={ws} config={value} />
          {value.webhookUrl !== null && <TestPanel params={params} type={type} />}
          <PastTests workspaceId={ws} channelId={ch} />
          <SigningSecret {...params} />
          {value.webhookUrl !== null && <ClearPanel {...params} />}
        </>
      )}
    </WhenLoaded>
  );
}

function ConfigPanel({ ws, config }: { readonly ws: string; readonly config: WebhookConfig }) {
  const { channelId: ch, webhookUrl: savedUrl, verifyToken: savedToken, verifiedAt, lastVerification } = config;
  const { value: destinations } = useDestinations(ch);
  const { fields, bind } = useFields<WebhookFields>({ webhookUrl: savedUrl ?? '', verifyToken: savedToken ?? '' });
  const [pending, setPending] = useState<PendingChoice>('follow');
  const current = destinations?.find(({ type, isKept }) => type === 'webhook' && !isKept);
  const waiting = current ? waitingCount(current) : 0;
  const url = fields.webhookUrl.trim();
  const mustChoose = waiting > 0 && savedUrl !== null && url !== savedUrl;
  const save = () =>
    apiIn(ws).put('/webhook-config/{ch}', {
      params: { path: { ch }, query: mustChoose ? { pending } : {} },
      body: { webhookUrl: url, ...(fields.verifyToken !== '' && { verifyToken: fields.verifyToken }) },
    });
  return (
    <Panel title="Webhook">
      {savedUrl !== null && current && (
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
        bind={bind}
        isTokenRequired={savedToken === null}
        save={save}
        read={() => apiIn(ws).get('/webhook-config/{ch}', { params: { path: { ch } } })}
        tone="primary"
      >
        {mustChoose && <PendingChoiceField waitingCount={waiting} value={pending} onValue={setPending} />}
      </WebhookForm>
    </Panel>
  );
}

function RefusedSave({ verification }: { readonly verification: WebhookConfig['lastVerification'] }) {
  if (!verification || verification.ok) return null;
  const { at, url, failure } = verification;
  return (
    <p class="soft">
      The last save of <code>{url}</code> was refused <RelativeTime at={at} />: {failure}
    </p>
  );
}

function TestPanel({ params: { ws, ch }, type }: WebhookProps) {
  const [result, setResult] = useState<Schema<'DestinationTest'> | null>(null);
  const [eventType, setEventType] = useState<EventType>(typicalEvents[type]);
  const test = useAction(async () => {
    setResult(await apiIn(ws).post('/webhook-config/{ch}/test', { params: { path: { ch } }, body: { eventType } }));
  });
  const send = (
    <Button small busy={test.isBusy} onClick={() => test.run()}>
      Send test event
    </Button>
  );
  return (
    <Panel title="Test" actions={send}>
      <p>Sends a signed sample event to the saved URL. It does not appear in the list of deliveries.</p>
      <TestTypeField channelType={type} value={eventType} onValue={setEventType} />
      <ErrorBox error={test.error} />
      {result && <TestResult result={result} />}
    </Panel>
  );
}

const aboutSecret = (
  <>
    Signs every delivery in the headers <code>X-Service-Signature-256</code> and <code>webhook-signature</code>. Verify
    the signature in your receiver before you process an event. <a href="/docs">How to verify</a>
  </>
);

function SigningSecret({ ws, ch }: ChannelParams) {
  const { role } = useWorkspace();
  if (role === 'member') {
    return (
      <Panel title="Signing secret">
        <DeveloperRoleNotice />
      </Panel>
    );
  }
  const path = { ch };
  const rotation = {
    title: 'Rotate signing secret',
    about: 'While the old secret is valid, deliveries carry both signatures so that you can update your receivers.',
    submit: 'Rotate secret',
    defaultOverlap: '0' as const,
    rotate: async (overlapSeconds: number, key: string) => {
      const options = { params: { path, header: { 'Idempotency-Key': key } }, body: { overlapSeconds } };
      const revealed = await apiIn(ws).post('/webhook-config/{ch}/rotate-hmac', options);
      return { revealed, previousExpiresAt: revealed.previousSecretExpiresAt };
    },
  };
  return (
    <SecretPanel<Schema<'WebhookHmac'>>
      title="Signing secret"
      about={aboutSecret}
      what="signing secret"
      reveal="Show secret"
      load={() => apiIn(ws).get('/webhook-config/{ch}/hmac', { params: { path } })}
      secretOf={({ hmacSecret }) => hmacSecret}
      rotation={role === 'admin' ? rotation : null}
    />
  );
}

function ClearPanel({ ws, ch }: ChannelParams) {
  const dialog = useDialog();
  const clear = () =>
    dialog.confirm({
      title: 'Clear the webhook?',
      submit: 'Clear webhook',
      about: 'Waiting deliveries are cancelled. New events go only to subscriptions and listeners.',
      act: () => apiIn(ws).delete('/webhook-config/{ch}', { params: { path: { ch } } }),
      done: 'Webhook cleared.',
    });
  return (
    <Panel title="Clear webhook">
      <p>Stops sending events to this URL. Subscriptions and listeners keep receiving events.</p>
      <Button tone="danger" onClick={clear}>
        Clear webhook
      </Button>
      {dialog.shown}
    </Panel>
  );
}
