import { useShortcut } from '../../kit/commands/shortcuts.ts';
import { Icon } from '../../kit/icon.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { neighboursOf } from './use-delivery-feed.ts';

interface NeighboursProps {
  readonly deliveryId: string;
  readonly workspaceId: string;
}

/** Links to the delivery before and after it in the list from which it was opened. `k` and `j` follow them. */
export function Neighbours({ deliveryId, workspaceId }: NeighboursProps) {
  const { organizationId } = useOrganization();
  const { previous, next } = neighboursOf(workspaceId, deliveryId);
  const pathOf = (id: string) => workspacePath(organizationId, workspaceId, `deliveries/${id}`);
  const go = (id: string | null): void => {
    if (id !== null) navigate(pathOf(id), { replace: true });
  };
  useShortcut({ keys: 'j', description: 'Next delivery of the list', run: () => go(next), isActive: next !== null });
  useShortcut({ keys: 'k', description: 'Previous delivery', run: () => go(previous), isActive: previous !== null });
  if (previous === null && next === null) return null;
  return (
    <nav class="neighbours" aria-label="Deliveries of the list">
      <Neighbour href={previous && pathOf(previous)} label="Previous delivery" hint="k" />
      <Neighbour href={next && pathOf(next)} label="Next delivery" hint="j" />
    </nav>
  );
}

interface NeighbourProps {
  readonly href: string | null;
  readonly label: string;
  readonly hint: string;
}

function Neighbour({ href, label, hint }: NeighbourProps) {
  if (href === null) return null;
  return (
    <a class={`button ${hint === 'k' ? 'upward' : ''}`} href={href} aria-label={label} title={`${label} (${hint})`}>
      <Icon name="down" />
    </a>
  );
}
