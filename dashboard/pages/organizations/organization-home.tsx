import { useEffect } from 'preact/hooks';
import { useLoad } from '../../kit/calls.ts';
import { PageHeader } from '../../kit/page.tsx';
import { EmptyState, ErrorBox } from '../../kit/parts.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { defaultWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';

export function Page() {
  const { organizationId, name, role } = useOrganization();
  const load = async () => ({ id: await defaultWorkspace(organizationId) });
  const { value, error, reload } = useLoad(['default-workspace', organizationId], load);
  const id = value?.id;
  useEffect(() => {
    if (id) navigate(workspacePath(organizationId, id), { replace: true });
  }, [id]);
  if (!error && id !== null) return null;
  return (
    <>
      <PageHeader title={name} />
      {error && <ErrorBox error={error} onRetry={reload} />}
      {!error && role === 'admin' && (
        <EmptyState
          title="No workspaces yet"
          action={
            <a class="button primary" href={organizationPath(organizationId, 'workspaces')}>
              Go to workspaces
            </a>
          }
        >
          Channels belong to a workspace, either of one of your teams or of a customer.
        </EmptyState>
      )}
      {!error && role !== 'admin' && (
        <EmptyState title="You don't have access to a workspace yet">
          Ask an organization admin to add you to one.
        </EmptyState>
      )}
    </>
  );
}
