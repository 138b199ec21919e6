import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/errors.ts';
import { asError } from '../kit/as-error.ts';
import { NotFound, PageHeader } from '../kit/page.tsx';
import { Button, ErrorBox } from '../kit/parts.tsx';
import type { RouteParams } from '../routes/match-route.ts';
import { workspacePath } from '../routes/paths.ts';
import type { Route } from '../routes/route.ts';
import { apiIn } from './api.ts';
import { currentWorkspace, enterWorkspace, type Workspace } from './current-workspace.ts';
import type { OrganizationMembership } from './session-state.ts';

const OrganizationContext = createContext<OrganizationMembership | undefined>(undefined);

export function useOrganization(): OrganizationMembership {
  const organization = useContext(OrganizationContext);
  if (!organization) throw new Error('The route of this page has no :org parameter');
  return organization;
}

export function useWorkspace(): Workspace {
  const workspace = currentWorkspace.value?.workspace;
  if (!workspace) throw new Error('The route of this page has no :ws parameter');
  return workspace;
}

/** The calls and the links of the page's workspace. */
export function usePlace() {
  const { id, organizationId } = useWorkspace();
  return { workspaceId: id, api: apiIn(id), at: (page: string) => workspacePath(organizationId, id, page) };
}

type LoadedPage = ComponentType<{ readonly params: RouteParams }>;
const loadedPages = new Map<Route, LoadedPage>();

interface PageOutletProps {
  readonly route: Route;
  readonly params: RouteParams;
  readonly organization: OrganizationMembership | undefined;
}

export function PageOutlet({ route, params, organization }: PageOutletProps) {
  const { Page, error } = usePage(route);
  const workspaceId = params['ws'];
  useLayoutEffect(() => {
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
    // It may have been loaded since it was rendered.
    const loaded = loadedPages.has(route) ? Promise.resolve() : loadPage(route);
    loaded.then(
      () => setLoaded(true),
      (failure: unknown) => setError(asError(failure)),
    );
  }, [route]);
  return { Page: loadedPages.get(route), error };
}

/** @throws Error if the script does not load: offline, or after an update that removed it */
export async function loadPage(route: Route): Promise<void> {
  const { Page } = await route.load();
  loadedPages.set(route, Page);
}

/** Shown if a page's script fails to load: offline, or after an update that removed it. */
function StalePage({ error }: { readonly error: Error }) {
  return (
    <>
      <PageHeader title="This page didn't load" />
      <p>The dashboard may have been updated since you opened it. Reload to get the latest version.</p>
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
