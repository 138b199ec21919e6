import { useEffect, useState } from 'preact/hooks';
import { Form, TextField } from '../kit/forms.tsx';
import { PageHeader } from '../kit/page.tsx';
import { Panel } from '../kit/parts.tsx';
import { organizationPath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { api } from '../session/api.ts';
import { defaultOrganization } from '../session/preferences.ts';
import type { Person } from '../session/session-state.ts';
import { loadSession } from '../session/session.ts';
import { Layout } from './layout.tsx';

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
  const create = async () => {
    await api.post('/organizations', { body: { name } });
    await loadSession();
  };
  return (
    <Panel title="Create an organization">
      <Form act={create} submit="Create organization" disabled={name.trim() === ''}>
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
