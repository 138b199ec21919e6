import type { ApiClient } from '../../../client/create-client.ts';
import { api, apiIn } from '../../session/api.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';

/** What replays are of: a workspace, or a whole organization, whose admins alone may. */
export interface ReplayPlace {
  readonly name: string;
  /** Null for the whole organization. */
  readonly workspaceId: string | null;
  /** All that the place has, as the API names it. */
  readonly scope: string;
  /** Speaks for the place. */
  readonly client: ApiClient;
  /** The address of one of its pages. */
  readonly pathOf: (page: string) => string;
}

/** What stands in the address of a page that is one of workspaces and of organizations alike. */
export interface PlaceParams {
  readonly org: string;
  readonly ws?: string;
}

/** The place that the address names. */
export function useReplayPlace({ org, ws }: PlaceParams): ReplayPlace {
  const { name } = useOrganization();
  const workspaceName = currentWorkspace.value?.workspace?.name;
  if (ws === undefined) {
    const pathOf = (page: string) => organizationPath(org, page);
    return { name, workspaceId: null, scope: `organization:${org}`, client: api, pathOf };
  }
  const pathOf = (page: string) => workspacePath(org, ws, page);
  return { name: workspaceName ?? '', workspaceId: ws, scope: `workspace:${ws}`, client: apiIn(ws), pathOf };
}
