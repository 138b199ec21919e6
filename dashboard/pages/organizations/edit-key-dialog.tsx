import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { cidrsOf, KeyLimitFields, type KeyLimits } from './key-limit-fields.tsx';

interface EditKeyDialogProps {
  readonly org: string;
  readonly apiKey: Schema<'ApiKey'>;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

export function EditKeyDialog({ org, apiKey, onChanged, onClose }: EditKeyDialogProps) {
  const { keyId: key, scopes, workspaceIds, allowedCidrs } = apiKey;
  const [name, setName] = useState(apiKey.name);
  const [limits, setLimits] = useState<KeyLimits>({ scopes, workspaceIds, cidrs: allowedCidrs?.join('\n') ?? '' });
  const action = useAction(async () => {
    const cidrs = cidrsOf(limits);
    const body = {
      name,
      ...(limits.scopes && { scopes: limits.scopes }),
      ...(limits.workspaceIds && { workspaceIds: [...limits.workspaceIds] }),
      allowedCidrs: cidrs.length > 0 ? cidrs : null,
    };
    await api.patch('/organizations/{org}/keys/{key}', { params: { path: { org, key } }, body });
    toast(`${name} saved.`);
    await onChanged();
    onClose();
  });
  return (
    <Dialog title="Edit API key" onClose={onClose}>
      <Form action={action} submit="Save" onCancel={onClose}>
        <p class="hint">Changes apply immediately. To give a program more rights, create another key.</p>
        <TextField label="Name" required maxLength={200} isFirst value={name} onValue={setName} />
        <KeyLimitFields org={org} limits={limits} onLimits={setLimits} before={apiKey} />
      </Form>
    </Dialog>
  );
}
