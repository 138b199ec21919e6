import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/errors.ts';
import { Button } from '../kit/button.tsx';
import { ErrorBox } from '../kit/error-box.tsx';
import { PageHeader } from '../kit/page-header.tsx';
import { asError } from '../kit/calls/use-load.ts';
import { currentWorkspace, enterWorkspace, type Workspace } from './current-workspace.ts';
import type { RouteParams } from '../routes/match-route.ts';
import { NotFound } from '../kit/not-found.tsx';
import type { Route } from '../routes/route.ts';
import type { OrganizationMembership } from './session-state.ts';

const OrganizationContext = createContext<OrganizationMembership | undefined>(undefined);

/** The organization of the address, and the person's role in it; for pages with `:org` in their path. */
export function useOrganization(): OrganizationMembership {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error('This page has no organization in its address');
  return organization;
}

/** The workspace of the address; for pages with `:ws` in their path. */
export function useWorkspace(): Workspace {
  const workspace = currentWorkspace.value?.workspace;
  if (!workspace) throw new Error('This page has no workspace in its address');
  return workspace;
}

type LoadedPage = ComponentType<{ readonly params: RouteParams }>;
const loadedPages = new Map<Route, LoadedPage>();

interface PageOutletProps {
  readonly route: Route;
  readonly params: RouteParams;
  readonly organization: OrganizationMembership | undefined;
}

/** Shows a page as soon as its script and its workspace are here. */
export function PageOutlet({ route, params, organization }: PageOutletProps) {
  const { Page, error } = usePage(route);
  const workspaceId = params['ws'];
  useEffect(() => {
    if (workspaceId !== undefined) void enterWorkspace(workspaceId);
  }, [workspaceId]);

  if (error) return <StalePage error={error} />;
  if (workspaceId !== undefined) {
    const state = currentWorkspace.value;
    const isHere = state?.workspaceId === workspaceId;
    if (isHere && state.error) return <WorkspaceProblem error={state.error} workspaceId={workspaceId} />;
    if (!isHere || !state.workspace) return null;
    if (state.workspace.organizationId !== organization?.organizationId) return <NotFound />;
  }
  if (!Page) return null;
  return (
    <OrganizationContext.Provider value={organization}>
      <Page params={params} />
    </OrganizationContext.Provider>
  );
}

function usePage(route: Route): { readonly Page: LoadedPage | undefined; readonly error: Error | null } {
  const [error, setError] = useState<Error | null>(null);
  const [, setLoaded] = useState(loadedPages.has(route));
  useEffect(() => {
    if (loadedPages.has(route)) return;
    route.load().then(
      ({ Page }) => {
        loadedPages.set(route, Page);
        setLoaded(true);
      },
      (failure: unknown) => setError(asError(failure)),
    );
  }, [route]);
  return { Page: loadedPages.get(route), error };
}

/** The service was updated since this page was opened, and its older parts are gone; or the network is. */
function StalePage({ error }: { readonly error: Error }) {
  return (
    <>
      <PageHeader title="This page did not load" />
      <p>The service may have been updated since you opened it.</p>
      <ErrorBox error={error} />
      <Button tone="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </>
  );
}

function WorkspaceProblem({ error, workspaceId }: { readonly error: Error; readonly workspaceId: string }) {
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  return (
    <>
      <PageHeader title="Workspace" />
      <ErrorBox error={error} onRetry={() => void enterWorkspace(workspaceId)} />
    </>
  );
}
