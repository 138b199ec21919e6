import { PageHeader } from '../../kit/page.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { OverviewPanels } from './overview-panels.tsx';

export function Page() {
  const { organizationId, name } = useOrganization();
  return (
    <>
      <PageHeader title="All workspaces" windowTitle={`All workspaces · ${name}`}>
        Deliveries and trouble in all workspaces of {name} that you can see.
      </PageHeader>
      <OverviewPanels organizationId={organizationId} workspaceId={undefined} />
    </>
  );
}
