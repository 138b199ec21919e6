import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../../kit/icon.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { hasModifier, isTyping } from './list-keys.ts';
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
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.key === 'j' ? next : event.key === 'k' ? previous : null;
      if (target === null || hasModifier(event) || isTyping(event)) return;
      navigate(pathOf(target), { replace: true });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [previous, next]);
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
