import type { ApiClient } from '../../../client/create-client.ts';
import { placePath } from '../../routes/paths.ts';
import { api, apiIn } from '../../session/api.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { mustNameChannel } from '../../session/portal.ts';
import { WorkspaceLink } from '../../session/workspace-link.tsx';
import { chosenChannel } from '../portal/channel-choice.tsx';

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
  const pathOf = (page: string) => placePath(org, ws, page);
  if (ws === undefined) return { name, workspaceId: null, scope: `organization:${org}`, client: api, pathOf };
  const scope = mustNameChannel() ? `channel:${chosenChannel()}` : `workspace:${ws}`;
  return { name: workspaceName ?? '', workspaceId: ws, scope, client: apiIn(ws), pathOf };
}

interface ScopeViewProps {
  readonly scope: string;
  readonly context: ReplayContext;
}

export function ScopeView({ scope, context }: ScopeViewProps) {
  const { organizationId } = useOrganization();
  const [kind, id = ''] = scope.split(':');
  if (kind === 'workspace' && context.workspaceId === null) return <WorkspaceLink org={organizationId} id={id} />;
  if (kind === 'channel') return <>{id}</>;
  return <>{kind === 'workspace' ? 'entire workspace' : 'entire organization'}</>;
}
