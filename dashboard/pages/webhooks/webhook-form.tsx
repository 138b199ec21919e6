import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { PendingChoiceField } from '../destinations/pending-choice-field.tsx';
import { ProbeResults } from './probe-results.tsx';

type WebhookConfig = Schema<'WebhookConfig'>;

interface WebhookFormProps {
  readonly workspaceId: string;
  readonly config: WebhookConfig;
  readonly waitingCount: number;
  readonly onSaved: () => Promise<void>;
}

/** Saving probes the URL first. */
export function WebhookForm({ workspaceId, config, waitingCount, onSaved }: WebhookFormProps) {
  const { channelId: ch } = config;
  const [webhookUrl, setUrl] = useState(config.webhookUrl ?? '');
  const [verifyToken, setToken] = useState(config.verifyToken ?? '');
  const [pending, setPending] = useState<PendingChoice>('follow');
  const [verification, setVerification] = useState<WebhookConfig['lastVerification']>(null);
  const mustChoose = waitingCount > 0 && config.webhookUrl !== null && webhookUrl.trim() !== config.webhookUrl;
  const action = useAction(async () => {
    setVerification(null);
    const body = { webhookUrl: webhookUrl.trim(), ...(verifyToken !== '' && { verifyToken }) };
    const params = { path: { ch }, query: mustChoose ? { pending } : {} };
    const client = apiIn(workspaceId);
    try {
      setVerification((await client.put('/webhook-config/{ch}', { params, body })).lastVerification);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'WEBHOOK_URL_VERIFICATION_FAILED') {
        setVerification((await client.get('/webhook-config/{ch}', { params: { path: { ch } } })).lastVerification);
      }
      throw error;
    }
    await onSaved();
  });
  return (
    <form
      class="webhook-form"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <WebhookFields {...{ webhookUrl, verifyToken, setUrl, setToken }} isTokenRequired={config.verifyToken === null} />
      {mustChoose && <PendingChoiceField waitingCount={waitingCount} value={pending} onValue={setPending} />}
      <div class="form-actions">
        <Button type="submit" tone="primary" busy={action.isBusy}>
          {action.isBusy ? 'Probing…' : 'Probe and save'}
        </Button>
      </div>
      <ProbeResults error={action.error} verification={action.isBusy ? null : verification} />
    </form>
  );
}

interface WebhookFieldsProps {
  readonly webhookUrl: string;
  readonly verifyToken: string;
  readonly setUrl: (url: string) => void;
  readonly setToken: (token: string) => void;
  readonly isTokenRequired: boolean;
}

export function WebhookFields({ webhookUrl, verifyToken, setUrl, setToken, isTokenRequired }: WebhookFieldsProps) {
  return (
    <>
      <TextField
        label="URL"
        hint="Receives each event as a signed POST request."
        type="url"
        required
        placeholder="https://example.com/webhooks/channels"
        spellcheck={false}
        value={webhookUrl}
        onValue={setUrl}
      />
      <TextField
        label="Verify token"
        hint={<TokenHint onGenerate={() => setToken(idempotencyKey())} />}
        required={isTokenRequired}
        maxLength={512}
        autoComplete="off"
        spellcheck={false}
        value={verifyToken}
        onValue={setToken}
      />
    </>
  );
}

function TokenHint({ onGenerate }: { readonly onGenerate: () => void }) {
  return (
    <>
      Your receiver returns it when probed, which proves that you control the URL.{' '}
      <button type="button" class="link" onClick={onGenerate}>
        Generate a new one
      </button>
    </>
  );
}
