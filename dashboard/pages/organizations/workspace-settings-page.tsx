import { useState } from 'preact/hooks';
import { ConfirmDialog, useDialog } from '../../kit/dialogs.tsx';
import { Checkbox, Form, TextField, useFields } from '../../kit/forms.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Button, Panel } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { leaveWorkspace, refreshWorkspace, type Workspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { DefaultWebhookPanel } from '../webhooks/default-webhook-panel.tsx';
import { PortalLinkPanel } from './portal-link-panel.tsx';
import { ExternalIdField, kindLabels } from './workspace-list.tsx';

export function Page() {
  const { role } = useOrganization();
  const workspace = useWorkspace();
  return (
    <>
      <PageHeader title="Workspace settings" windowTitle={`Settings · ${workspace.name}`}>
        {workspace.name}
      </PageHeader>
      {workspace.role === 'admin' ? (
        <>
          <NamePanel workspace={workspace} mayChangeExternalId={role === 'admin'} />
          <DefaultWebhookPanel organizationId={workspace.organizationId} ws={workspace.id} />
          <PortalLinkPanel workspaceId={workspace.id} />
        </>
      ) : (
        <p>Only workspace admins can change these settings.</p>
      )}
      {role === 'admin' && <DeletePanel workspace={workspace} />}
    </>
  );
}

interface NamePanelProps {
  readonly workspace: Workspace;
  readonly mayChangeExternalId: boolean;
}

function NamePanel({ workspace, mayChangeExternalId }: NamePanelProps) {
  const { id, kind } = workspace;
  const { fields, bind } = useFields({ name: workspace.name, externalId: workspace.externalId ?? '' });
  const { name, externalId } = fields;
  const hasExternalId = kind === 'customer' && mayChangeExternalId;
  const isChanged = name.trim() !== workspace.name || (hasExternalId && externalId !== (workspace.externalId ?? ''));
  const save = async () => {
    const body = { name, ...(hasExternalId && { externalId: externalId === '' ? null : externalId }) };
    await api.patch('/workspaces/{ws}', { params: { path: { ws: id } }, body });
    await refreshWorkspace();
    toast('Settings saved.');
  };
  return (
    <Panel title="Name">
      <Form act={save} submit="Save" tone="plain" disabled={!isChanged || name.trim() === ''}>
        <TextField
          label={kind === 'customer' ? 'Customer name' : 'Workspace name'}
          required
          maxLength={200}
          {...bind('name')}
        />
        {hasExternalId && <ExternalIdField {...bind('externalId')} />}
      </Form>
    </Panel>
  );
}

function DeletePanel({ workspace }: { readonly workspace: Workspace }) {
  const label = kindLabels[workspace.kind];
  const dialog = useDialog();
  return (
    <Panel title={`Delete this ${label}`}>
      <p>
        Disconnects its channels and cancels waiting deliveries. You can't delete the last workspace of an organization.
      </p>
      <Button
        tone="danger"
        onClick={() => dialog.open((close) => <DeleteDialog workspace={workspace} onClose={close} />)}
      >
        Delete {label}
      </Button>
      {dialog.shown}
    </Panel>
  );
}

function DeleteDialog({ workspace, onClose }: { readonly workspace: Workspace; readonly onClose: () => void }) {
  const { id, name, kind, organizationId } = workspace;
  const [erases, setErases] = useState(false);
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      submit={`Delete ${kindLabels[kind]}`}
      typed={name}
      onConfirm={async () => {
        const params = { path: { ws: id }, ...(erases && { query: { erase: 'true' as const } }) };
        await api.delete('/workspaces/{ws}', { params });
        toast(`${name} deleted.`);
        leaveWorkspace();
        navigate(organizationPath(organizationId, kind === 'team' ? 'workspaces' : 'customers'));
      }}
      onClose={onClose}
    >
      <p>
        Its channels are disconnected, their tokens stop working, and waiting deliveries are cancelled. You can't undo
        this.
      </p>
      <Checkbox label="Also erase the data of its events" value={erases} onValue={setErases} />
    </ConfirmDialog>
  );
}
