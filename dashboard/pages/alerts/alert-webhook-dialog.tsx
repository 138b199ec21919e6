import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { DescriptionList } from '../../kit/description-list.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { RotateDialog } from '../channels/rotate-dialog.tsx';
import { AlertWebhookForm } from './alert-webhook-form.tsx';

type Webhook = Schema<'AlertWebhook'>;
type Delivery = Schema<'AlertWebhookDelivery'>;
type Step = 'editing' | 'rotating' | 'deleting' | { readonly secret: string };

const PATH = '/organizations/{org}/alert-webhook';

/** For admins of the organization. */
export function AlertWebhookDialog({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
  const params = { path: { org } };
  const [step, setStep] = useState<Step>('editing');
  const loaded = useLoad(() => api.get(PATH, { params }), [org]);
  if (typeof step === 'object') {
    return (
      <SecretDialog title="Alert webhook saved" secret={step.secret} what="alert webhook secret" onClose={onClose}>
        Store this secret in your receiver now. It signs every call and is not shown again.
      </SecretDialog>
    );
  }
  if (step === 'rotating') return <RotateSecretDialog org={org} onClose={() => setStep('editing')} />;
  if (step === 'deleting') return <DeleteDialog org={org} onClose={() => setStep('editing')} onDeleted={onClose} />;
  return (
    <Dialog title="Alert webhook" isWide onClose={onClose}>
      <div class="prose">
        <p>
          Gets the alerts of the whole organization by signed calls, for example to open incidents in your own tools.
        </p>
      </div>
      <ErrorBox error={loaded.error} onRetry={() => void loaded.reload()} />
      {!loaded.value && !loaded.error && <Loading />}
      {loaded.value && (
        <AlertWebhookForm
          webhook={loaded.value}
          onSave={async (body) => {
            const { secret } = await api.put(PATH, { params, body });
            if (secret !== null) return setStep({ secret });
            toast('Alert webhook saved.');
            onClose();
          }}
          onClose={onClose}
        />
      )}
      {loaded.value && loaded.value.url !== null && (
        <Calls org={org} webhook={loaded.value} onTested={loaded.reload} onStep={setStep} />
      )}
    </Dialog>
  );
}

interface CallsProps {
  readonly org: string;
  readonly webhook: Webhook;
  readonly onTested: () => Promise<void>;
  readonly onStep: (step: Step) => void;
}

function Calls({ org, webhook, onTested, onStep }: CallsProps) {
  const testing = useAction(async () => {
    try {
      const { delivery } = await api.post(`${PATH}/test`, { params: { path: { org } } });
      toast(delivery.outcome === 'delivered' ? 'Test call delivered.' : 'Test call failed.');
    } finally {
      await onTested();
    }
  });
  const { lastDelivery } = webhook;
  return (
    <>
      {lastDelivery && <DescriptionList items={itemsOf(lastDelivery)} />}
      <ErrorBox error={testing.error} />
      <div class="form-actions">
        <Button busy={testing.isBusy} onClick={() => void testing.run()}>
          Send test call
        </Button>
        <Button onClick={() => onStep('rotating')}>Rotate secret</Button>
        <Button tone="danger" onClick={() => onStep('deleting')}>
          Delete webhook
        </Button>
      </div>
    </>
  );
}

function itemsOf({ type, at, outcome, status, error, attempts, nextAttemptAt }: Delivery) {
  return [
    ['Last call', <code>{type}</code>],
    ['Attempted', <RelativeTime at={at} />],
    ['Outcome', `${outcome}, ${attempts === 1 ? 'first attempt' : `${attempts} attempts`}`],
    ['Response', status ?? error],
    ...(nextAttemptAt === null ? [] : [['Next attempt', <RelativeTime at={nextAttemptAt} />] as const]),
  ] as const;
}

function RotateSecretDialog({ org, onClose }: { readonly org: string; readonly onClose: () => void }) {
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
      onClose={onClose}
    />
  );
}

interface DeleteProps {
  readonly org: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDialog({ org, onClose, onDeleted }: DeleteProps) {
  return (
    <ConfirmDialog
      title="Delete the alert webhook?"
      submit="Delete webhook"
      onConfirm={async () => {
        await api.delete(PATH, { params: { path: { org } } });
        toast('Alert webhook deleted.');
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>Its secret and the calls that are still retried are deleted as well. Alerts stay in the list.</p>
    </ConfirmDialog>
  );
}
