import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { CopyableId, CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { loadSession } from '../../session/session.ts';

/** What an organization is called, and how it is named in calls. */
export function Page() {
  const { organizationId, role } = useOrganization();
  const params = { path: { org: organizationId } };
  const organization = useLoad(() => api.get('/organizations/{org}', { params }), [organizationId]);
  return (
    <>
      <PageHeader title="Organization settings" />
      <ErrorBox error={organization.error} onRetry={() => void organization.reload()} />
      {organization.isLoading && !organization.value && <Waiting />}
      {organization.value && (
        <>
          {role === 'admin' && <NamePanel organization={organization.value} onRenamed={organization.reload} />}
          <Panel title="About">
            <Facts
              facts={[
                ['Name', organization.value.name],
                ['Id', <CopyableId id={organizationId} what="the organization's id" />],
                ['Your role', role],
                ['Created', <RelativeTime at={organization.value.createdAt} />],
              ]}
            />
          </Panel>
          <Panel title="In a terminal">
            <p>With an API key of the organization:</p>
            <CopyableLine
              what="the command"
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
    toast('The organization is renamed.');
  });
  return (
    <Panel title="Name">
      <Form action={action} submit="Rename" disabled={name.trim() === '' || name.trim() === organization.name}>
        <TextField
          label="Name of the organization"
          hint="Customers read it on the pages where they connect a channel, and people in their invitations."
          maxLength={200}
          required
          value={name}
          onValue={setName}
        />
      </Form>
    </Panel>
  );
}
