import { EmptyState } from '../../kit/empty-state.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';

/** What to do where a workspace has no channel yet. */
export function NoChannel() {
  const { organizationId, role } = useOrganization();
  const link = (
    <a class="button primary" href={organizationPath(organizationId, 'onboarding')}>
      Make an onboarding link
    </a>
  );
  return (
    <EmptyState title="No channel is connected" action={role === 'admin' && link} command="channels list">
      A channel is an account at the platform. Whoever holds the account connects it by opening an onboarding link
      {role === 'admin' ? '.' : ', which an admin of the organization can make.'}
    </EmptyState>
  );
}
