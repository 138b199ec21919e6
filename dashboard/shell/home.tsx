import { useEffect, useState } from 'preact/hooks';
import { organizationPath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { Layout } from './layout.tsx';
import { useAction } from '../kit/calls/use-action.ts';
import { TextField } from '../kit/forms/field.tsx';
import { Form } from '../kit/forms/form.tsx';
import { PageHeader } from '../kit/page-header.tsx';
import { Panel } from '../kit/panel.tsx';
import { api } from '../session/api.ts';
import { loadSession } from '../session/session.ts';
import type { Person } from '../session/session-state.ts';
import { defaultOrganization } from './default-organization.ts';

export function Home({ person }: { readonly person: Person }) {
  const organizationId = defaultOrganization(person)?.organizationId;
  useEffect(() => {
    if (organizationId !== undefined) navigate(organizationPath(organizationId), { replace: true });
  }, [organizationId]);
  if (organizationId !== undefined) return null;
  return (
    <Layout person={person} organization={undefined} workspaceId={undefined}>
      <PageHeader title="You don't belong to an organization">
        If you were invited, open the link in the invitation email to accept. You can also ask an organization admin to
        invite you, or create an organization of your own.
      </PageHeader>
      <NewOrganization />
    </Layout>
  );
}

function NewOrganization() {
  const [name, setName] = useState('');
  const action = useAction(async () => {
    await api.post('/organizations', { body: { name } });
    await loadSession();
  });
  return (
    <Panel title="Create an organization">
      <Form action={action} submit="Create organization" disabled={name.trim() === ''}>
        <TextField
          label="Organization name"
          hint="You become its admin. Invitations to other organizations stay open."
          maxLength={200}
          required
          value={name}
          onValue={setName}
        />
      </Form>
    </Panel>
  );
}
