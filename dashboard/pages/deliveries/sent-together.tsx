import type { Schema } from '../../../client/create-client.ts';
import { workspacePath } from '../../routes/paths.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import type { Attempt } from './timeline/attempt-outcome.ts';

interface SentTogetherProps {
  readonly attempt: Attempt;
  readonly delivery: Pick<Schema<'Delivery'>, 'deliveryId'>;
  readonly workspaceId: string;
}

/** Links the other deliveries in the request of a debounced destination. */
export function SentTogether({ attempt: { batch }, delivery, workspaceId }: SentTogetherProps) {
  const { organizationId } = useOrganization();
  const others = batch?.deliveryIds.filter((id) => id !== delivery.deliveryId) ?? [];
  if (others.length === 0) return null;
  return (
    <p>
      Sent together with{' '}
      {others.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={workspacePath(organizationId, workspaceId, `deliveries/${id}`)}>{id}</a>
        </span>
      ))}
    </p>
  );
}
