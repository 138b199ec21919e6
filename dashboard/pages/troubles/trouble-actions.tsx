import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { type DisabledDestination, enableAgain } from './enable-again.ts';
import { skippedReplayQuery } from './trouble-text.ts';

/** A destination whose deliveries are not sent. */
export interface BrokenDestination
  extends DisabledDestination, Pick<Schema<'TroubledDestination'>, 'state' | 'since'> {}

interface TroubleActionsProps {
  readonly organizationId: string;
  readonly broken: BrokenDestination;
  readonly onEnabled: () => Promise<void>;
}

/** Enables a disabled destination, or leads to the page that tests it. No test helps if its answers are not recorded. */
export function TroubleActions({ organizationId, broken, onEnabled }: TroubleActionsProps) {
  const { workspaceId, channelId, destination, state } = broken;
  const enable = useAction(async () => {
    await enableAgain(broken);
    toast('Enabled again.');
    await onEnabled();
  });
  if (state === 'not_settling') return null;
  const isWebhook = destination === 'webhook';
  const page = `channels/${channelId}/${isWebhook ? 'webhook' : 'subscriptions'}`;
  return (
    <>
      <div class="actions">
        {state === 'disabled' ? (
          <>
            <Button small busy={enable.isBusy} onClick={() => void enable.run()}>
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

export function ReplaySkipped({ organizationId, broken }: Omit<TroubleActionsProps, 'onEnabled'>) {
  return (
    <a class="button plain small" href={workspacePath(organizationId, broken.workspaceId, skippedReplayQuery(broken))}>
      Replay what was skipped
    </a>
  );
}
