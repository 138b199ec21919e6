import { useEffect } from 'preact/hooks';
import { organizationPath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { Layout } from './layout.tsx';
import { PageHeader } from '../kit/page-header.tsx';
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
        If you were invited, open the link in the invitation email to accept. Otherwise ask an organization admin to
        invite you, and you get an email with a link.
      </PageHeader>
    </Layout>
  );
}
