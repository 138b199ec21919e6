import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Panel } from '../../kit/panel.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { leaveWorkspace, refreshWorkspace, type Workspace } from '../../session/current-workspace.ts';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { organizationPath } from '../../routes/paths.ts';
import { navigate } from '../../routes/router.ts';
import { DefaultWebhookPanel } from '../webhooks/default-webhook-panel.tsx';
import { PortalLinkPanel } from './portal-link-panel.tsx';
import { DeleteWorkspaceDialog, ExternalIdField, kindLabels } from './workspace-dialogs.tsx';

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
  const [name, setName] = useState(workspace.name);
  const [externalId, setExternalId] = useState(workspace.externalId ?? '');
  const hasExternalId = kind === 'customer' && mayChangeExternalId;
  const isChanged = name.trim() !== workspace.name || (hasExternalId && externalId !== (workspace.externalId ?? ''));
  const action = useAction(async () => {
    const body = { name, ...(hasExternalId && { externalId: externalId === '' ? null : externalId }) };
    await api.patch('/workspaces/{ws}', { params: { path: { ws: id } }, body });
    await refreshWorkspace();
    toast('Settings saved.');
  });
  return (
    <Panel title="Name">
      <Form action={action} submit="Save" tone="plain" disabled={!isChanged || name.trim() === ''}>
        <TextField
          label={kind === 'customer' ? 'Customer name' : 'Workspace name'}
          required
          maxLength={200}
          value={name}
          onValue={setName}
        />
        {hasExternalId && <ExternalIdField value={externalId} onValue={setExternalId} />}
      </Form>
    </Panel>
  );
}

function DeletePanel({ workspace }: { readonly workspace: Workspace }) {
  const { organizationId, kind } = workspace;
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title={`Delete this ${kindLabels[kind]}`}>
      <p>
        Disconnects its channels and cancels waiting deliveries. You can't delete the last workspace of an organization.
      </p>
      <Button tone="danger" onClick={() => setAsking(true)}>
        Delete {kindLabels[kind]}
      </Button>
      {isAsking && (
        <DeleteWorkspaceDialog
          workspace={workspace}
          onDeleted={() => {
            leaveWorkspace();
            navigate(organizationPath(organizationId, kind === 'team' ? 'workspaces' : 'customers'));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}
