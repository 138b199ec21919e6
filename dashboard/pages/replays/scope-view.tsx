import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import type { ReplayContext } from './replay-context.ts';
import { describeScope } from './replay-status.ts';

interface ScopeViewProps {
  readonly scope: string;
  readonly context: ReplayContext;
}

export function ScopeView({ scope, context }: ScopeViewProps) {
  const { organizationId } = useOrganization();
  const [kind, id = ''] = scope.split(':');
  if (kind === 'workspace' && context.workspaceId === null) return <WorkspaceLink org={organizationId} id={id} />;
  return <>{describeScope(scope)}</>;
}
