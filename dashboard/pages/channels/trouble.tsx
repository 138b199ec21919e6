import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useAction } from '../../kit/calls.ts';
import { Button, ErrorBox, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { api, apiIn } from '../../session/api.ts';
import { portal } from '../../session/portal.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';

/** What keeps a channel's deliveries from being sent, with what helps, for the head of its pages. */
export function ChannelTrouble({ channel: { id, delivery } }: { readonly channel: Schema<'Channel'> }) {
  const { organizationId } = useOrganization();
  const workspace = useWorkspace();
  const [enabled, setEnabled] = useState<BrokenDestination | null>(null);
  const isFailing = delivery?.state === 'failing';
  // The dashboard shows failures with the health of a channel, which portals don't have.
  if (!delivery || delivery.state === 'ok' || (isFailing && !portal.value)) {
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
          <strong>{destination === 'webhook' ? 'Webhook' : 'Subscription'}:</strong>{' '}
          {isFailing ? 'The receiver fails, and deliveries are retried' : troubleTitle({ state, reason })}.
          {since !== null && (
            <>
              {' '}
              It began <RelativeTime at={since} />.
            </>
          )}
        </p>
      </div>
      {workspace.role === 'admin' && (
        <TroubleActions {...{ organizationId, broken }} onEnabled={() => setEnabled(broken)} />
      )}
    </div>
  );
}

type Trouble = Schema<'TroubledDestination'>;

const titles: Readonly<Record<NonNullable<Trouble['reason']>, string>> = {
  gone: 'Disabled: the receiver answered 410 Gone',
  failing: 'Disabled: it failed for days',
  by_hand: 'Disabled by a user',
  failures: 'Failing; deliveries wait',
  retry_after: 'Paused by the receiver',
  behind: 'Deliveries late: the receiver answers more slowly than events arrive',
  not_sent: 'Deliveries late: the service sends nothing, contact its operator',
};

export function troubleTitle({ state, reason }: Pick<Schema<'ChannelDelivery'>, 'state' | 'reason'>): string {
  if (state === 'not_settling') return 'Not recorded: contact the operator of this service';
  return reason === null ? 'Failing' : titles[reason];
}

/** A destination whose deliveries are not sent: `webhook`, or the id of a subscription. */
export type BrokenDestination = Pick<Trouble, 'workspaceId' | 'channelId' | 'destination' | 'state' | 'since'>;

interface TroubleActionsProps {
  readonly organizationId: string;
  readonly broken: BrokenDestination;
  readonly onEnabled: () => void;
}

/** Enables a disabled destination, or leads to the page that tests it. No test helps if its answers are not recorded. */
export function TroubleActions({ organizationId, broken, onEnabled }: TroubleActionsProps) {
  const { workspaceId, channelId, destination, state } = broken;
  const enable = useAction(async () => {
    await enableAgain(broken);
    toast('Enabled again.');
    onEnabled();
  });
  if (state === 'not_settling' || state === 'overdue') return null;
  const isWebhook = destination === 'webhook';
  const page = `channels/${channelId}/${isWebhook ? 'webhook' : 'subscriptions'}`;
  return (
    <>
      <div class="actions">
        {state === 'disabled' ? (
          <>
            <Button small busy={enable.isBusy} onClick={() => enable.run()}>
              Enable again
            </Button>
            <ReplaySkipped organizationId={organizationId} broken={broken} />
          </>
        ) : (
          <a class="button plain small" href={workspacePath(organizationId, workspaceId, page)}>
            {isWebhook ? 'Test webhook' : 'Open subscription'}
          </a>
        )}
      </div>
      <ErrorBox error={enable.error} />
    </>
  );
}

/** Probes a webhook again with its stored verify token, and enables a subscription. */
async function enableAgain({ workspaceId, channelId: ch, destination }: BrokenDestination): Promise<void> {
  if (destination !== 'webhook') {
    const params = { path: { ch, sub: destination } };
    await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body: { enabled: true } });
    return;
  }
  const params = { path: { ch } };
  const { webhookUrl } = await apiIn(workspaceId).get('/webhook-config/{ch}', { params });
  if (webhookUrl === null) throw new Error('The channel has no webhook any more. Reload the page.');
  await apiIn(workspaceId).put('/webhook-config/{ch}', { params, body: { webhookUrl } });
}

/** Leads to a new replay of what was skipped since the trouble began. */
export function ReplaySkipped({ organizationId, broken }: Omit<TroubleActionsProps, 'onEnabled'>) {
  const { workspaceId, channelId, since } = broken;
  const query = new URLSearchParams({ channel: channelId, status: 'skipped', ...(since !== null && { since }) });
  return (
    <a class="button plain small" href={workspacePath(organizationId, workspaceId, `replays/new?${query}`)}>
      Replay what was skipped
    </a>
  );
}
