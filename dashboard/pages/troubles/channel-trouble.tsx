import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { type BrokenDestination, ReplaySkipped, TroubleActions } from './trouble-actions.tsx';
import { troubleTitle } from './trouble-text.ts';

interface ChannelTroubleProps {
  readonly channel: Schema<'Channel'>;
  readonly onChanged: () => Promise<void>;
}

/** What keeps a channel's deliveries from being sent, with what helps, for the head of its pages. */
export function ChannelTrouble({ channel: { id, delivery }, onChanged }: ChannelTroubleProps) {
  const { organizationId } = useOrganization();
  const workspace = useWorkspace();
  const [enabled, setEnabled] = useState<BrokenDestination | null>(null);
  if (!delivery || delivery.state === 'ok' || delivery.state === 'failing') {
    if (!enabled) return null;
    return (
      <div class="notice good trouble apart" role="status">
        <p>Enabled again. Events that arrived while it was disabled were skipped.</p>
        <ReplaySkipped organizationId={organizationId} broken={enabled} />
      </div>
    );
  }
  const { state, destination, reason, since } = delivery;
  const broken: BrokenDestination = { workspaceId: workspace.id, channelId: id, destination, state, since };
  return (
    <div class="notice bad trouble apart">
      <div>
        <p>
          <strong>{destination === 'webhook' ? 'Webhook' : 'Subscription'}:</strong> {troubleTitle({ state, reason })}
          {since !== null && (
            <>
              , since <RelativeTime at={since} />
            </>
          )}
          .
        </p>
      </div>
      {workspace.role === 'admin' && (
        <TroubleActions
          {...{ organizationId, broken }}
          onEnabled={async () => {
            setEnabled(broken);
            await onChanged();
          }}
        />
      )}
    </div>
  );
}
