import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { everyRecord } from '../../../client/pages.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import { Dialog, useDialog } from '../../kit/dialogs.tsx';
import { Form, SelectField } from '../../kit/forms.tsx';
import { Button, ErrorBox, Panel, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { navigate } from '../../routes/router.ts';
import { api, apiIn } from '../../session/api.ts';
import { refreshWorkspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { ChannelLayout } from './channel-layout.tsx';
import type { Channel } from './use-channels.ts';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/settings'>) {
  const organization = useOrganization();
  const { role } = useWorkspace();
  return (
    <ChannelLayout params={params} about="Settings">
      {(channel) => (
        <>
          {role !== 'admin' && <p class="notice">Only workspace admins can change these settings.</p>}
          <ForwardingPanel channel={channel} mayChange={role === 'admin'} />
          {organization.role === 'admin' && <MovePanel channel={channel} />}
          {channel.connected && role === 'admin' && <DisconnectPanel channel={channel} />}
        </>
      )}
    </ChannelLayout>
  );
}

interface ChannelPanelProps {
  readonly channel: Channel;
}

function ForwardingPanel({ channel, mayChange }: ChannelPanelProps & { readonly mayChange: boolean }) {
  const { id, workspaceId, connected, forwardingEnabled } = channel;
  const params = { path: { ch: id } };
  const dialog = useDialog();
  const enable = useAction(async () => {
    await apiIn(workspaceId).post('/platform/channels/{ch}/enable', { params });
    toast('Forwarding is on.');
  });
  const turnOff = () =>
    dialog.confirm({
      title: 'Turn off forwarding?',
      submit: 'Turn off forwarding',
      about:
        'Waiting deliveries and new events are skipped. Turning forwarding on again does not send them: replay them instead.',
      act: () => apiIn(workspaceId).post('/platform/channels/{ch}/disable', { params }),
      done: 'Forwarding is off.',
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
        <Button disabled={!mayChange} onClick={turnOff}>
          Turn off forwarding
        </Button>
      ) : (
        <Button tone="primary" busy={enable.isBusy} disabled={!mayChange || !connected} onClick={() => enable.run()}>
          Turn on forwarding
        </Button>
      )}
      {dialog.shown}
    </Panel>
  );
}

function MovePanel({ channel }: ChannelPanelProps) {
  const dialog = useDialog();
  return (
    <Panel title="Move channel">
      <p>
        Moves this channel to another workspace or customer of the organization. Past events and deliveries stay in this
        workspace. The token, the webhook and its secret stay valid: rotate them if members of this workspace must lose
        access.
      </p>
      <Button onClick={() => dialog.open((close) => <MoveDialog channel={channel} onClose={close} />)}>
        Move channel
      </Button>
      {dialog.shown}
    </Panel>
  );
}

interface MoveProps extends ChannelPanelProps {
  readonly onClose: () => void;
}

function MoveDialog({ channel, onClose }: MoveProps) {
  const { organizationId: org } = useOrganization();
  const load = async () => {
    const all = await everyRecord(
      (cursor) => {
        const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
        return api.get('/organizations/{org}/workspaces', { params: { path: { org }, query } });
      },
      ({ workspaces }) => workspaces,
    );
    return all.filter(({ id }) => id !== channel.workspaceId).sort((a, b) => a.name.localeCompare(b.name));
  };
  const others = useLoad(['other-workspaces', org, channel.workspaceId], load, { isOnce: true });
  return (
    <Dialog title={`Move ${channel.displayName}`} onClose={onClose}>
      <WhenLoaded of={others}>
        {(workspaces) =>
          workspaces.length === 0 ? (
            <p>The organization has no other workspaces.</p>
          ) : (
            <MoveForm channel={channel} workspaces={workspaces} onClose={onClose} />
          )
        }
      </WhenLoaded>
    </Dialog>
  );
}

function MoveForm({ channel, workspaces, onClose }: MoveProps & { workspaces: readonly Schema<'Workspace'>[] }) {
  const { organizationId } = useOrganization();
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]!.id);
  const move = async () => {
    await api.post('/channels/{ch}/move', { params: { path: { ch: channel.id } }, body: { workspaceId } });
    onClose();
    toast(`${channel.displayName} moved.`);
    navigate(workspacePath(organizationId, workspaceId, `channels/${channel.id}`));
  };
  return (
    <Form act={move} submit="Move channel" onCancel={onClose}>
      <SelectField
        label="To"
        hint="Members of that workspace get access to the channel, its webhook, token and subscriptions."
        value={workspaceId}
        options={workspaces.map(
          ({ id, name, kind }) => [id, kind === 'customer' ? `${name} (customer)` : name] as const,
        )}
        onValue={setWorkspaceId}
      />
    </Form>
  );
}

function DisconnectPanel({ channel: { id, workspaceId, displayName } }: ChannelPanelProps) {
  const dialog = useDialog();
  const disconnect = () =>
    dialog.confirm({
      title: `Disconnect ${displayName}?`,
      submit: 'Disconnect channel',
      typed: displayName,
      about: 'Waiting deliveries are cancelled, and requests with the channel token are refused.',
      act: async () => {
        await apiIn(workspaceId).post('/platform/channels/{ch}/disconnect', { params: { path: { ch: id } } });
        await refreshWorkspace();
      },
      done: `${displayName} disconnected.`,
    });
  return (
    <Panel title="Disconnect channel">
      <p>
        Ends the connection to the platform: no more events are delivered, the channel token stops working, and waiting
        deliveries are cancelled. The account owner can reconnect the channel with an onboarding link. What the platform
        has sent in between is delivered then.
      </p>
      <Button tone="danger" onClick={disconnect}>
        Disconnect channel
      </Button>
      {dialog.shown}
    </Panel>
  );
}
