import { useEffect } from 'preact/hooks';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { defaultWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';

export function Page() {
  const { organizationId, name, role } = useOrganization();
  const usual = useLoad(async () => ({ id: await defaultWorkspace(organizationId) }), [organizationId]);
  const id = usual.value?.id;
  useEffect(() => {
    if (id) navigate(workspacePath(organizationId, id), { replace: true });
  }, [id]);
  if (usual.error) {
    return (
      <>
        <PageHeader title={name} />
        <ErrorBox error={usual.error} onRetry={() => void usual.reload()} />
      </>
    );
  }
  if (id !== null) return null;
  return (
    <>
      <PageHeader title={name} />
      {role === 'admin' ? (
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
      ) : (
        <EmptyState title="You don't have access to a workspace yet">
          Ask an organization admin to add you to one.
        </EmptyState>
      )}
    </>
  );
}
