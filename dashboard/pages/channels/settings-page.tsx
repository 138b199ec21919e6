import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { apiIn } from '../../session/api.ts';
import { refreshWorkspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import type { PageProps } from '../../routes/route.ts';
import { ChannelLayout } from './channel-layout.tsx';
import { MovePanel } from './move-panel.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/settings'>) {
  const organization = useOrganization();
  const { role } = useWorkspace();
  return (
    <ChannelLayout params={params} about="Settings">
      {(channel, reload) => (
        <>
          {role !== 'admin' && <p class="notice">Only workspace admins can change these settings.</p>}
          <ForwardingPanel channel={channel} onChanged={reload} mayChange={role === 'admin'} />
          {organization.role === 'admin' && <MovePanel channel={channel} />}
          {channel.connected && role === 'admin' && <DisconnectPanel channel={channel} onChanged={reload} />}
        </>
      )}
    </ChannelLayout>
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
          ? 'On. Events are sent to the destinations as they arrive.'
          : 'Off. New events are stored as skipped and not sent. You can replay them later.'}
      </p>
      <ErrorBox error={enable.error} />
      {forwardingEnabled ? (
        <Button disabled={!mayChange} onClick={() => setAsking(true)}>
          Turn off forwarding
        </Button>
      ) : (
        <Button
          tone="primary"
          busy={enable.isBusy}
          disabled={!mayChange || !connected}
          onClick={() => void enable.run()}
        >
          Turn on forwarding
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
      title="Turn off forwarding?"
      submit="Turn off forwarding"
      onConfirm={async () => {
        await apiIn(workspaceId).post('/platform/channels/{ch}/disable', { params: { path: { ch: id } } });
        await onChanged();
        toast('Forwarding is off.');
      }}
      onClose={onClose}
    >
      <p>
        Waiting deliveries and new events are skipped. Turning forwarding on again does not send them: replay them
        instead.
      </p>
    </ConfirmDialog>
  );
}

function DisconnectPanel({ channel, onChanged }: ChannelPanelProps) {
  const { id, workspaceId, displayName } = channel;
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Disconnect channel">
      <p>
        Ends the connection to the platform: no more events are delivered, the channel token stops working, and waiting
        deliveries are cancelled. The account owner can reconnect the channel with an onboarding link. What the platform
        has sent in between is delivered then.
      </p>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Disconnect channel
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Disconnect ${displayName}?`}
          submit="Disconnect channel"
          typed={displayName}
          onConfirm={async () => {
            await apiIn(workspaceId).post('/platform/channels/{ch}/disconnect', { params: { path: { ch: id } } });
            await Promise.all([onChanged(), refreshWorkspace()]);
            toast(`${displayName} disconnected.`);
          }}
          onClose={() => setAsking(false)}
        >
          <p>Waiting deliveries are cancelled, and requests with the channel token are refused.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
