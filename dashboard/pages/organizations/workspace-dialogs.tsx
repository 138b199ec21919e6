import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';

export type WorkspaceKind = Schema<'Workspace'>['kind'];

export const kindLabels: Readonly<Record<WorkspaceKind, string>> = { team: 'workspace', customer: 'customer' };

interface CreateDialogProps {
  readonly organizationId: string;
  readonly kind: WorkspaceKind;
  readonly onCreated: (workspace: Schema<'Workspace'>) => void;
  readonly onClose: () => void;
}

export function CreateWorkspaceDialog({ organizationId, kind, onCreated, onClose }: CreateDialogProps) {
  const [name, setName] = useState('');
  const [externalId, setExternalId] = useState('');
  const action = useAction(async () => {
    const body = { name, kind, ...(externalId !== '' && { externalId }) };
    const params = { path: { org: organizationId } };
    const created = await api.post('/organizations/{org}/workspaces', { params, body });
    toast(`${created.name} created.`);
    onCreated(created);
  });
  return (
    <Dialog title={`Create ${kindLabels[kind]}`} onClose={onClose}>
      <Form action={action} submit={`Create ${kindLabels[kind]}`} onCancel={onClose}>
        <TextField label="Name" required maxLength={200} isFirst value={name} onValue={setName} />
        {kind === 'customer' && <ExternalIdField value={externalId} onValue={setExternalId} />}
      </Form>
    </Dialog>
  );
}

interface ExternalIdFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function ExternalIdField({ value, onValue }: ExternalIdFieldProps) {
  return (
    <TextField
      label="External ID (optional)"
      hint="Your own ID for this customer, which your programs can search for. Must be unique in the organization."
      maxLength={200}
      spellcheck={false}
      value={value}
      onValue={onValue}
    />
  );
}

interface DeleteDialogProps {
  readonly workspace: Pick<Schema<'Workspace'>, 'id' | 'name' | 'kind'>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteWorkspaceDialog({ workspace, onDeleted, onClose }: DeleteDialogProps) {
  const { id, name, kind } = workspace;
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
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>
        Its channels are disconnected, their tokens stop working, and waiting deliveries are cancelled. You can't undo
        this.
      </p>
      <Checkbox label="Also erase the data of its events" isChecked={erases} onChecked={setErases} />
    </ConfirmDialog>
  );
}
