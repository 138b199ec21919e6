import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { pluralize } from '../../kit/format/format.ts';
import { RadioGroup, TextField, type useFields } from '../../kit/forms.tsx';
import { Button } from '../../kit/parts.tsx';
import { ProbeResults } from './probe-results.tsx';

type Verification = Schema<'WebhookConfig'>['lastVerification'];

interface Verified {
  readonly lastVerification: Verification;
}

export interface WebhookFields {
  readonly webhookUrl: string;
  readonly verifyToken: string;
}

interface WebhookFormProps {
  /** The fields, which the caller holds. */
  readonly bind: ReturnType<typeof useFields<WebhookFields>>['bind'];
  readonly isTokenRequired: boolean;
  readonly save: () => Promise<Verified>;
  /** Reads what the probes of a refused save found. */
  readonly read: () => Promise<Verified>;
  readonly tone?: 'primary' | 'plain';
  /** Further buttons. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Saving probes the URL first. For webhooks of channels and default webhooks. */
export function WebhookForm({ bind, isTokenRequired, save, read, tone, actions, children }: WebhookFormProps) {
  const [verification, setVerification] = useState<Verification>(null);
  const action = useAction(async () => {
    setVerification(null);
    try {
      setVerification((await save()).lastVerification);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'WEBHOOK_URL_VERIFICATION_FAILED') {
        setVerification((await read()).lastVerification);
      }
      throw error;
    }
  });
  const token = bind('verifyToken');
  return (
    <form
      class="webhook-form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <TextField
        label="URL"
        hint="Receives each event as a signed POST request."
        type="url"
        required
        placeholder="https://example.com/webhooks/channels"
        spellcheck={false}
        {...bind('webhookUrl')}
      />
      <TextField
        label="Verify token"
        hint={
          <>
            Your receiver returns it when probed, which proves that you control the URL.{' '}
            <button type="button" class="link" onClick={() => token.onValue(idempotencyKey())}>
              Generate a new one
            </button>
          </>
        }
        required={isTokenRequired}
        maxLength={512}
        autoComplete="off"
        spellcheck={false}
        {...token}
      />
      {children}
      <div class="form-actions">
        <Button type="submit" tone={tone} busy={action.isBusy}>
          {action.isBusy ? 'Probing…' : 'Probe and save'}
        </Button>
        {actions}
      </div>
      <ProbeResults error={action.error} verification={action.isBusy ? null : verification} />
    </form>
  );
}

interface PendingChoiceProps {
  readonly waitingCount: number;
  readonly value: PendingChoice;
  readonly onValue: (value: PendingChoice) => void;
}

export function PendingChoiceField({ waitingCount, ...field }: PendingChoiceProps) {
  return (
    <RadioGroup
      legend={`${pluralize(waitingCount, 'delivery is', 'deliveries are')} waiting for the current URL`}
      options={[
        ['follow', 'Send them to the new URL'],
        ['keep', 'Keep sending them to the old URL', 'until they are delivered or exhausted'],
        ['cancel', 'Cancel them'],
      ]}
      {...field}
    />
  );
}
