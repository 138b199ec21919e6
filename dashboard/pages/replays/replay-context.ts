import type { ApiClient } from '../../../client/create-client.ts';
import { api, apiIn } from '../../session/api.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { mustNameChannel } from '../../session/portal.ts';
import { chosenChannel } from '../portal/channel-choice.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';

/** A workspace, or a whole organization, which only its admins can replay. */
export interface ReplayContext {
  readonly name: string;
  readonly workspaceId: string | null;
  readonly scope: string;
  readonly client: ApiClient;
  readonly pathOf: (page: string) => string;
}

export interface ReplayContextParams {
  readonly org: string;
  readonly ws?: string;
}

export function useReplayContext({ org, ws }: ReplayContextParams): ReplayContext {
  const { name } = useOrganization();
  const workspaceName = currentWorkspace.value?.workspace?.name;
  if (ws === undefined) {
    const pathOf = (page: string) => organizationPath(org, page);
    return { name, workspaceId: null, scope: `organization:${org}`, client: api, pathOf };
  }
  const pathOf = (page: string) => workspacePath(org, ws, page);
  const scope = mustNameChannel() ? `channel:${chosenChannel()}` : `workspace:${ws}`;
  return { name: workspaceName ?? '', workspaceId: ws, scope, client: apiIn(ws), pathOf };
}
