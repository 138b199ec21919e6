import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import type { ReplayPlace } from './replay-place.ts';
import { scopeText } from './replay-words.ts';

interface ScopeViewProps {
  readonly scope: string;
  readonly place: ReplayPlace;
}

/** What a replay is of; on an organization's pages, workspaces are told apart by their names. */
export function ScopeView({ scope, place }: ScopeViewProps) {
  const { organizationId } = useOrganization();
  const [kind, id = ''] = scope.split(':');
  if (kind === 'workspace' && place.workspaceId === null) return <WorkspaceLink org={organizationId} id={id} />;
  return <>{scopeText(scope)}</>;
}
