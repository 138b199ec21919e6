import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { CopyableId, CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { DefaultWebhookPanel } from '../webhooks/default-webhook-panel.tsx';
import { BrandingPanel } from './branding-panel.tsx';
import { loadSession } from '../../session/session.ts';

export function Page() {
  const { organizationId, role } = useOrganization();
  const params = { path: { org: organizationId } };
  const organization = useLoad(() => api.get('/organizations/{org}', { params }), [organizationId]);
  return (
    <>
      <PageHeader title="Organization settings" />
      <ErrorBox error={organization.error} onRetry={() => void organization.reload()} />
      {organization.isLoading && !organization.value && <Loading />}
      {organization.value && (
        <>
          {role === 'admin' && <NamePanel organization={organization.value} onRenamed={organization.reload} />}
          <Panel title="Details">
            <DescriptionList
              items={[
                ['Name', organization.value.name],
                ['ID', <CopyableId id={organizationId} what="organization ID" />],
                ['Your role', role],
                ['Created', <RelativeTime at={organization.value.createdAt} />],
              ]}
            />
          </Panel>
          {role === 'admin' && <DefaultWebhookPanel organizationId={organizationId} />}
          {role === 'admin' && <BrandingPanel organizationId={organizationId} />}
          <Panel title="API access">
            <p>Call the API with an API key of the organization:</p>
            <CopyableLine
              what="command"
              text={`curl ${location.origin}/organizations/${organizationId}/workspaces -H "Authorization: Bearer $CHANNELS_API_KEY"`}
            />
          </Panel>
        </>
      )}
    </>
  );
}

interface NamePanelProps {
  readonly organization: Schema<'Organization'>;
  readonly onRenamed: () => Promise<void>;
}

function NamePanel({ organization, onRenamed }: NamePanelProps) {
  const [name, setName] = useState(organization.name);
  const action = useAction(async () => {
    const params = { path: { org: organization.id } };
    await api.patch('/organizations/{org}', { params, body: { name } });
    await Promise.all([onRenamed(), loadSession()]);
    toast('Organization renamed.');
  });
  return (
    <Panel title="Name">
      <Form
        action={action}
        submit="Rename"
        tone="plain"
        disabled={name.trim() === '' || name.trim() === organization.name}
      >
        <TextField
          label="Organization name"
          hint="Shown to customers when they connect a channel, and to people you invite."
          maxLength={200}
          required
          value={name}
          onValue={setName}
        />
      </Form>
    </Panel>
  );
}
