import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { cidrsOf, KeyLimitFields, type KeyLimits } from './key-limit-fields.tsx';
import { KeySecretDialog } from './key-dialogs.tsx';

const lifetimes = [
  ['never', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After one year'],
] as const;
type Lifetime = (typeof lifetimes)[number][0];

const DAY_MS = 86_400_000;

interface CreateKeyDialogProps {
  readonly org: string;
  readonly onCreated: () => Promise<void>;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ org, onCreated, onClose }: CreateKeyDialogProps) {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [limits, setLimits] = useState<KeyLimits>({ scopes: null, workspaceIds: null, cidrs: '' });
  const [created, setCreated] = useState<Schema<'CreatedApiKey'> | null>(null);
  const action = useAction(async () => {
    const { scopes, workspaceIds } = limits;
    const cidrs = cidrsOf(limits);
    const body = {
      name,
      ...(lifetime !== 'never' && { expiresAt: daysFromNow(Number(lifetime)) }),
      ...(scopes && { scopes }),
      ...(workspaceIds && { workspaceIds: [...workspaceIds] }),
      ...(cidrs.length > 0 && { allowedCidrs: cidrs }),
    };
    setCreated(await api.post('/organizations/{org}/keys', { params: { path: { org } }, body }));
    await onCreated();
  });
  if (created) {
    return (
      <KeySecretDialog
        key="created"
        title="API key created"
        secret={created.apiKey}
        isLimited={isLimited(created)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog key="new" title="Create API key" onClose={onClose}>
      <Form action={action} submit="Create key" onCancel={onClose}>
        <TextField
          label="Name"
          hint="For example, the program that will use it."
          required
          maxLength={200}
          isFirst
          value={name}
          onValue={setName}
        />
        <SelectField label="Expires" value={lifetime} options={lifetimes} onValue={setLifetime} />
        <KeyLimitFields org={org} limits={limits} onLimits={setLimits} />
      </Form>
    </Dialog>
  );
}

const isLimited = ({ scopes, workspaceIds }: Schema<'CreatedApiKey'>): boolean => Boolean(scopes ?? workspaceIds);

const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
