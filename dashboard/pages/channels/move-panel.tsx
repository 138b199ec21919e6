import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { records } from '../../../client/pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';

type Channel = Schema<'Channel'>;

export function MovePanel({ channel }: { readonly channel: Channel }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel title="Move channel">
      <p>
        Moves this channel to another workspace or customer of the organization. Past events and deliveries stay in this
        workspace. The token, the webhook and its secret stay valid: rotate them if members of this workspace must lose
        access.
      </p>
      <Button onClick={() => setOpen(true)}>Move channel</Button>
      {isOpen && <MoveDialog channel={channel} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function MoveDialog({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) {
  const { organizationId } = useOrganization();
  const workspaces = useLoad(() => otherWorkspaces(organizationId, channel.workspaceId), [organizationId]);
  return (
    <Dialog title={`Move ${channel.displayName}`} onClose={onClose}>
      <ErrorBox error={workspaces.error} onRetry={() => void workspaces.reload()} />
      {!workspaces.value && !workspaces.error && <Loading />}
      {workspaces.value?.length === 0 && <p>The organization has no other workspaces.</p>}
      {workspaces.value && workspaces.value.length > 0 && (
        <MoveForm channel={channel} workspaces={workspaces.value} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface MoveFormProps {
  readonly channel: Channel;
  readonly workspaces: readonly Schema<'Workspace'>[];
  readonly onClose: () => void;
}

function MoveForm({ channel, workspaces, onClose }: MoveFormProps) {
  const { organizationId } = useOrganization();
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]!.id);
  const action = useAction(async () => {
    await api.post('/channels/{ch}/move', { params: { path: { ch: channel.id } }, body: { workspaceId } });
    onClose();
    toast(`${channel.displayName} moved.`);
    navigate(workspacePath(organizationId, workspaceId, `channels/${channel.id}`));
  });
  return (
    <Form action={action} submit="Move channel" onCancel={onClose}>
      <SelectField
        label="To"
        hint="Members of that workspace get access to the channel, its webhook, token and subscriptions."
        value={workspaceId}
        options={workspaces.map(({ id, name, kind }) => [id, kind === 'customer' ? `${name} (customer)` : name])}
        onValue={setWorkspaceId}
      />
    </Form>
  );
}

async function otherWorkspaces(organizationId: string, workspaceId: string) {
  const found: Schema<'Workspace'>[] = [];
  const pages = records(
    (cursor) => {
      const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
      return api.get('/organizations/{org}/workspaces', { params: { path: { org: organizationId }, query } });
    },
    ({ workspaces }) => workspaces,
  );
  for await (const workspace of pages) if (workspace.id !== workspaceId) found.push(workspace);
  return found.sort((a, b) => a.name.localeCompare(b.name));
}
