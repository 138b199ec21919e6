import { EmptyState } from '../../kit/empty-state.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';

export function NoChannel() {
  const { organizationId, role } = useOrganization();
  const link = (
    <a class="button primary" href={organizationPath(organizationId, 'onboarding')}>
      Create onboarding link
    </a>
  );
  return (
    <EmptyState title="No channels yet" action={role === 'admin' && link} command="channels list">
      A channel is a platform account. Its owner connects it by opening an onboarding link
      {role === 'admin' ? '.' : ', which an organization admin can create.'}
    </EmptyState>
  );
}
