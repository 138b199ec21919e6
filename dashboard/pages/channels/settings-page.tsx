import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { refreshWorkspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import type { PageProps } from '../../routes/route.ts';
import { ChannelFrame } from './channel-frame.tsx';
import { MovePanel } from './move-panel.tsx';

/** Whether a channel forwards, where it belongs, and its end. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/settings'>) {
  const organization = useOrganization();
  const { role } = useWorkspace();
  return (
    <ChannelFrame params={params} about="Settings">
      {(channel, reload) => (
        <>
          {role !== 'admin' && <p class="notice">Only admins of the workspace change a channel.</p>}
          <ForwardingPanel channel={channel} onChanged={reload} mayChange={role === 'admin'} />
          {organization.role === 'admin' && <MovePanel channel={channel} />}
          {channel.connected && role === 'admin' && <DisconnectPanel channel={channel} onChanged={reload} />}
        </>
      )}
    </ChannelFrame>
  );
}

interface ChannelPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly onChanged: () => Promise<void>;
}

function ForwardingPanel({ channel, onChanged, mayChange }: ChannelPanelProps & { readonly mayChange: boolean }) {
  const { id, workspaceId, connected, forwardingEnabled } = channel;
  const [isAsking, setAsking] = useState(false);
  const enable = useAction(async () => {
    await apiIn(workspaceId).post('/platform/channels/{ch}/enable', { params: { path: { ch: id } } });
    await onChanged();
    toast('Forwarding is on.');
  });
  return (
    <Panel title="Forwarding">
      <p>
        {forwardingEnabled
          ? 'On: events go to the destinations as they come.'
          : 'Off: events that come are stored as skipped, and nothing is sent. A replay sends them later.'}
      </p>
      <ErrorBox error={enable.error} />
      {forwardingEnabled ? (
        <Button disabled={!mayChange} onClick={() => setAsking(true)}>
          Turn forwarding off …
        </Button>
      ) : (
        <Button
          tone="primary"
          busy={enable.isBusy}
          disabled={!mayChange || !connected}
          onClick={() => void enable.run()}
        >
          Turn forwarding on
        </Button>
      )}
      {isAsking && <TurnOffDialog channel={channel} onChanged={onChanged} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function TurnOffDialog({ channel, onChanged, onClose }: ChannelPanelProps & { readonly onClose: () => void }) {
  const { id, workspaceId } = channel;
  return (
    <ConfirmDialog
      title="Turn forwarding off?"
      submit="Turn off"
      onConfirm={async () => {
        await apiIn(workspaceId).post('/platform/channels/{ch}/disable', { params: { path: { ch: id } } });
        await onChanged();
        toast('Forwarding is off.');
      }}
      onClose={onClose}
    >
      <p>What waits to be delivered is skipped, and so is what comes from now on. Turning it on sends nothing old.</p>
    </ConfirmDialog>
  );
}

function DisconnectPanel({ channel, onChanged }: ChannelPanelProps) {
  const { id, workspaceId, displayName } = channel;
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Disconnect">
      <p>
        Ends the connection with the platform: no events come in, the channel's token ends, and what waits is cancelled.
        Its holder can connect it again by an onboarding link.
      </p>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Disconnect …
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Disconnect ${displayName}?`}
          submit="Disconnect"
          typed={displayName}
          onConfirm={async () => {
            await apiIn(workspaceId).post('/platform/channels/{ch}/disconnect', { params: { path: { ch: id } } });
            await Promise.all([onChanged(), refreshWorkspace()]);
            toast(`${displayName} is disconnected.`);
          }}
          onClose={() => setAsking(false)}
        >
          <p>Deliveries that wait are cancelled, and programs that use its token are refused.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
