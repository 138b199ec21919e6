import type { Schema } from '../../../client/create-client.ts';
import { type AlertKind, alertKindNames } from '../../../contract/alerts/kinds.ts';
import { reloadingOnFailure, useAction, useLoad } from '../../kit/calls.ts';
import { ConfirmDialog, Dialog, SecretDialog, type useDialog } from '../../kit/dialogs.tsx';
import { Checkbox, CheckboxGroup, Form, SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { Button, DescriptionList, ErrorBox, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { RotateDialog } from '../channels/secret-panel.tsx';
import { kindOptions, kindsOf } from './alert-dialogs.tsx';

type Webhook = Schema<'AlertWebhook'>;
type Open = ReturnType<typeof useDialog>['open'];

const PATH = '/organizations/{org}/alert-webhook';

/** For admins of the organization. The dialogs that it opens lead back to it. */
export function openAlertWebhook(open: Open, org: string): void {
  open((close) => <AlertWebhookDialog org={org} open={open} onClose={close} />);
}

interface DialogProps {
  readonly org: string;
  readonly open: Open;
  readonly onClose: () => void;
}

function AlertWebhookDialog({ org, open, onClose }: DialogProps) {
  const params = { path: { org } };
  const loaded = useLoad(['alert-webhook', org], () => api.get(PATH, { params }));
  const save = async (body: Schema<'AlertWebhookInput'>) => {
    const { secret } = await api.put(PATH, { params, body });
    if (secret === null) return toast('Alert webhook saved.');
    open((close) => (
      <SecretDialog title="Alert webhook saved" secret={secret} what="alert webhook secret" onClose={close}>
        Store this secret in your receiver now. It signs every call and is not shown again.
      </SecretDialog>
    ));
  };
  return (
    <Dialog title="Alert webhook" isWide onClose={onClose}>
      <div class="prose">
        <p>
          Gets the alerts of the whole organization by signed calls, for example to open incidents in your own tools.
        </p>
      </div>
      <WhenLoaded of={loaded}>
        {(webhook) => (
          <>
            <WebhookForm webhook={webhook} onSave={save} onClose={onClose} />
            {webhook.url !== null && <Calls org={org} webhook={webhook} open={open} />}
          </>
        )}
      </WhenLoaded>
    </Dialog>
  );
}

interface WebhookFormProps {
  readonly webhook: Webhook;
  readonly onSave: (body: Schema<'AlertWebhookInput'>) => Promise<void>;
  readonly onClose: () => void;
}

function WebhookForm({ webhook, onSave, onClose }: WebhookFormProps) {
  const kinds: readonly AlertKind[] = webhook.kinds ?? alertKindNames;
  const { fields, bind } = useFields({
    url: webhook.url ?? '',
    minSeverity: webhook.minSeverity,
    kinds,
    enabled: webhook.url === null || webhook.enabled,
  });
  const save = () => onSave({ ...fields, url: fields.url.trim(), kinds: kindsOf(fields.kinds) });
  return (
    <Form submit="Save" act={save} onDone={onClose} disabled={fields.kinds.length === 0} onCancel={onClose}>
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://ops.example.com/alerts"
        spellcheck={false}
        {...bind('url')}
      />
      <SelectField
        label="Send"
        options={[
          ['warning', 'All alerts'],
          ['critical', 'Critical alerts'],
        ]}
        {...bind('minSeverity')}
      />
      <CheckboxGroup legend="Kinds" options={kindOptions} {...bind('kinds')} />
      <Checkbox label="Enabled" {...bind('enabled')} />
      <p class="hint">
        Muted alerts are left out. One call lists all alerts of some minutes, and one more says that they are over.
      </p>
    </Form>
  );
}

interface CallsProps extends Omit<DialogProps, 'onClose'> {
  readonly webhook: Webhook;
}

function Calls({ org, webhook: { lastDelivery }, open }: CallsProps) {
  const testing = useAction(async () => {
    const send = () => api.post(`${PATH}/test`, { params: { path: { org } } });
    const { delivery } = await reloadingOnFailure(send);
    toast(delivery.outcome === 'delivered' ? 'Test call delivered.' : 'Test call failed.');
  });
  const goBack = () => openAlertWebhook(open, org);
  const askDelete = () =>
    open((close) => (
      <ConfirmDialog
        title="Delete the alert webhook?"
        submit="Delete webhook"
        onConfirm={async () => {
          await api.delete(PATH, { params: { path: { org } } });
          toast('Alert webhook deleted.');
        }}
        onDone={close}
        onClose={goBack}
      >
        <p>Its secret and the calls that are still retried are deleted as well. Alerts stay in the list.</p>
      </ConfirmDialog>
    ));
  return (
    <>
      {lastDelivery && <LastDelivery delivery={lastDelivery} />}
      <ErrorBox error={testing.error} />
      <div class="form-actions">
        <Button busy={testing.isBusy} onClick={() => testing.run()}>
          Send test call
        </Button>
        <Button onClick={() => open(() => <RotateSecretDialog org={org} open={open} onClose={goBack} />)}>
          Rotate secret
        </Button>
        <Button tone="danger" onClick={askDelete}>
          Delete webhook
        </Button>
      </div>
    </>
  );
}

function LastDelivery({ delivery }: { readonly delivery: Schema<'AlertWebhookDelivery'> }) {
  const { type, at, outcome, status, error, attempts, nextAttemptAt } = delivery;
  return (
    <DescriptionList
      items={[
        ['Last call', <code>{type}</code>],
        ['Attempted', <RelativeTime at={at} />],
        ['Outcome', `${outcome}, ${attempts === 1 ? 'first attempt' : `${attempts} attempts`}`],
        ['Response', status ?? error],
        nextAttemptAt !== null && ['Next attempt', <RelativeTime at={nextAttemptAt} />],
      ]}
    />
  );
}

function RotateSecretDialog({ org, open, onClose }: DialogProps) {
  return (
    <RotateDialog
      title="Rotate the secret of the alert webhook"
      about="While the old secret is valid, calls carry both signatures so that you can update your receiver."
      submit="Rotate secret"
      defaultOverlap="86400"
      rotate={async (overlapSeconds, key) => {
        const params = { path: { org }, header: { 'Idempotency-Key': key } };
        const rotated = await api.post(`${PATH}/rotate-secret`, { params, body: { overlapSeconds } });
        return { secret: rotated.secret, previousExpiresAt: rotated.previousSecretExpiresAt };
      }}
      onRotated={(show) => open(() => show(onClose))}
      onClose={onClose}
    />
  );
}
