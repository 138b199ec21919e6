import { useEffect } from 'preact/hooks';
import { organizationPath } from '../routes/paths.ts';
import { navigate } from '../routes/router.ts';
import { Layout } from './layout.tsx';
import { PageHeader } from '../kit/page-header.tsx';
import type { Person } from '../session/session-state.ts';
import { usualOrganization } from './usual-organization.ts';

/** Leads to the organization where the person was last. */
export function Home({ person }: { readonly person: Person }) {
  const organizationId = usualOrganization(person)?.organizationId;
  useEffect(() => {
    if (organizationId !== undefined) navigate(organizationPath(organizationId), { replace: true });
  }, [organizationId]);
  if (organizationId !== undefined) return null;
  return (
    <Layout person={person} organization={undefined} workspaceId={undefined}>
      <PageHeader title="You are in no organization">
        Ask somebody for an invitation to theirs: it comes by e-mail, with a link that leads here.
      </PageHeader>
    </Layout>
  );
}
