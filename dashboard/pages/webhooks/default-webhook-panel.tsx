import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { ApiError } from '../../../client/errors.ts';
import { type DefaultWebhookCalls, ofOrganization, ofWorkspace } from '../../../client/default-webhooks.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { ProbeResults } from './probe-results.tsx';
import { RolloutPanel } from './rollout-panel.tsx';
import { WebhookFields } from './webhook-form.tsx';

type DefaultWebhook = Schema<'DefaultWebhook'>;

/** For admins of the organization, or of the workspace if one is given. */
export function DefaultWebhookPanel({ organizationId, ws }: { readonly organizationId: string; readonly ws?: string }) {
  const calls = ws === undefined ? ofOrganization(api, organizationId) : ofWorkspace(api, ws);
  const owner = ws ?? organizationId;
  const config = useLoad(() => calls.get(), [owner]);
  if (!config.value) {
    return config.error ? <ErrorBox error={config.error} onRetry={() => void config.reload()} /> : <Loading />;
  }
  return (
    <>
      <Panel title="Default webhook">
        <Explanation config={config.value} />
        <DefaultForm key={owner} calls={calls} config={config.value} onSaved={config.reload} />
      </Panel>
      {config.value.webhookUrl !== null && <RolloutPanel key={config.value.webhookUrl} calls={calls} owner={owner} />}
    </>
  );
}

function Explanation({ config }: { readonly config: DefaultWebhook }) {
  const { workspaceId, webhookUrl, inheritedWebhookUrl, verifiedAt } = config;
  return (
    <>
      <p>
        New channels of this {workspaceId === null ? 'organization' : 'workspace'} get this webhook, each with its own
        signing secret. Existing channels keep theirs until you apply it.
      </p>
      {workspaceId !== null && webhookUrl === null && inheritedWebhookUrl !== null && (
        <p>
          Without its own, new channels get the organization's default: <code>{inheritedWebhookUrl}</code>
        </p>
      )}
      {verifiedAt !== null && (
        <p class="soft">
          Verified <RelativeTime at={verifiedAt} />.
        </p>
      )}
    </>
  );
}

interface DefaultFormProps {
  readonly calls: DefaultWebhookCalls;
  readonly config: DefaultWebhook;
  readonly onSaved: () => Promise<void>;
}

/** Saving probes the URL first. */
function DefaultForm({ calls, config, onSaved }: DefaultFormProps) {
  const [webhookUrl, setUrl] = useState(config.webhookUrl ?? '');
  const [verifyToken, setToken] = useState('');
  const [verification, setVerification] = useState<DefaultWebhook['lastVerification']>(null);
  const [isAsking, setAsking] = useState(false);
  const action = useAction(async () => {
    setVerification(null);
    try {
      setVerification((await calls.put({ webhookUrl: webhookUrl.trim(), verifyToken })).lastVerification);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'WEBHOOK_URL_VERIFICATION_FAILED') {
        setVerification((await calls.get()).lastVerification);
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
      <WebhookFields {...{ webhookUrl, verifyToken, setUrl, setToken }} isTokenRequired />
      <div class="form-actions">
        <Button type="submit" busy={action.isBusy}>
          {action.isBusy ? 'Probing…' : 'Probe and save'}
        </Button>
        {config.webhookUrl !== null && <Button onClick={() => setAsking(true)}>Clear default</Button>}
      </div>
      <ProbeResults error={action.error} verification={action.isBusy ? null : verification} />
      {isAsking && (
        <ConfirmDialog
          title="Clear the default webhook?"
          submit="Clear default"
          onConfirm={async () => {
            await calls.clear();
            toast('Default webhook cleared.');
            setUrl('');
            await onSaved();
          }}
          onClose={() => setAsking(false)}
        >
          <p>Channels keep the webhooks that they have. New channels start without one.</p>
        </ConfirmDialog>
      )}
    </form>
  );
}
