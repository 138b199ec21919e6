import type { Schema } from '../../../client/create-client.ts';
import { type DefaultWebhookCalls, ofOrganization, ofWorkspace } from '../../../client/default-webhooks.ts';
import { useLoad } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { useFields } from '../../kit/forms.tsx';
import { Button, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { RolloutPanel } from './rollout-panel.tsx';
import { type WebhookFields, WebhookForm } from './webhook-form.tsx';

type DefaultWebhook = Schema<'DefaultWebhook'>;

/** For admins of the organization, or of the workspace if one is given. */
export function DefaultWebhookPanel({ organizationId, ws }: { readonly organizationId: string; readonly ws?: string }) {
  const calls = ws === undefined ? ofOrganization(api, organizationId) : ofWorkspace(api, ws);
  const owner = ws ?? organizationId;
  const loaded = useLoad(['default-webhook', owner], () => calls.get());
  return (
    <WhenLoaded of={loaded}>
      {(config) => (
        <>
          <Panel title="Default webhook">
            <Explanation config={config} />
            <DefaultForm key={owner} calls={calls} config={config} />
          </Panel>
          {config.webhookUrl !== null && <RolloutPanel key={config.webhookUrl} calls={calls} owner={owner} />}
        </>
      )}
    </WhenLoaded>
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
}

function DefaultForm({ calls, config }: DefaultFormProps) {
  const { fields, set, bind } = useFields<WebhookFields>({ webhookUrl: config.webhookUrl ?? '', verifyToken: '' });
  const dialog = useDialog();
  const clear = () =>
    dialog.confirm({
      title: 'Clear the default webhook?',
      submit: 'Clear default',
      about: 'Channels keep the webhooks that they have. New channels start without one.',
      act: async () => {
        await calls.clear();
        set({ webhookUrl: '' });
      },
      done: 'Default webhook cleared.',
    });
  return (
    <>
      <WebhookForm
        bind={bind}
        isTokenRequired
        save={() => calls.put({ ...fields, webhookUrl: fields.webhookUrl.trim() })}
        read={calls.get}
        actions={config.webhookUrl !== null && <Button onClick={clear}>Clear default</Button>}
      />
      {dialog.shown}
    </>
  );
}
