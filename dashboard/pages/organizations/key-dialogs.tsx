import { useState } from 'preact/hooks';
import { cancelEvery } from '../../../client/cancel-every.ts';
import type { Schema } from '../../../client/create-client.ts';
import { scopes as allScopes } from '../../../contract/identity/scopes.ts';
import { useLoad } from '../../kit/calls.ts';
import { ConfirmDialog, FormDialog, SecretDialog } from '../../kit/dialogs.tsx';
import { Checkbox, CheckboxGroup, SelectField, TextArea, TextField, useFields } from '../../kit/forms.tsx';
import { ErrorBox } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { ScheduledByKey } from '../scheduled/scheduled-by-key.tsx';
import { WorkspacesField } from './workspace-field.tsx';

type ApiKey = Schema<'ApiKey'>;

interface KeyDialogProps {
  readonly org: string;
  readonly shownKey: ApiKey;
  readonly onClose: () => void;
}

const lifetimes = [
  ['never', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After one year'],
] as const;

const DAY_MS = 86_400_000;

interface CreateKeyDialogProps extends Omit<KeyDialogProps, 'shownKey'> {
  readonly onCreated: (key: Schema<'CreatedApiKey'>) => void;
}

export function CreateKeyDialog({ org, onCreated, onClose }: CreateKeyDialogProps) {
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number][0]>('never');
  const form = useFields<KeyFields>({ name: '', scopes: null, workspaceIds: null, cidrs: '' });
  const act = async () => {
    const { allowedCidrs, ...body } = bodyOf(form.fields);
    const expiresAt = new Date(Date.now() + Number(lifetime) * DAY_MS);
    onCreated(
      await api.post('/organizations/{org}/keys', {
        params: { path: { org } },
        body: {
          ...body,
          ...(lifetime !== 'never' && { expiresAt: expiresAt.toISOString() }),
          ...(allowedCidrs && { allowedCidrs }),
        },
      }),
    );
  };
  return (
    <FormDialog title="Create API key" submit="Create key" act={act} onClose={onClose}>
      <TextField
        label="Name"
        hint="For example, the program that will use it."
        required
        maxLength={200}
        isFirst
        {...form.bind('name')}
      />
      <SelectField label="Expires" value={lifetime} options={lifetimes} onValue={setLifetime} />
      <LimitFields org={org} form={form} />
    </FormDialog>
  );
}

export function EditKeyDialog({ org, shownKey, onClose }: KeyDialogProps) {
  const { keyId: key, name, scopes, workspaceIds, allowedCidrs } = shownKey;
  const form = useFields<KeyFields>({ name, scopes, workspaceIds, cidrs: allowedCidrs?.join('\n') ?? '' });
  const act = async () => {
    const params = { path: { org, key } };
    await api.patch('/organizations/{org}/keys/{key}', { params, body: bodyOf(form.fields) });
    toast(`${form.fields.name} saved.`);
  };
  return (
    <FormDialog title="Edit API key" submit="Save" act={act} onClose={onClose}>
      <p class="hint">Changes apply immediately. To give a program more rights, create another key.</p>
      <TextField label="Name" required maxLength={200} isFirst {...form.bind('name')} />
      <LimitFields org={org} form={form} before={shownKey} />
    </FormDialog>
  );
}

interface KeyFields {
  readonly name: string;
  /** Null for full access. */
  readonly scopes: ApiKey['scopes'];
  /** Null for the whole organization. */
  readonly workspaceIds: readonly string[] | null;
  /** One block per line. Empty for any address. */
  readonly cidrs: string;
}

function bodyOf({ name, scopes, workspaceIds, cidrs }: KeyFields) {
  const blocks = cidrs.split(/[\s,]+/).filter((one) => one !== '');
  return {
    name,
    ...(scopes && { scopes }),
    ...(workspaceIds && { workspaceIds: [...workspaceIds] }),
    allowedCidrs: blocks.length > 0 ? blocks : null,
  };
}

interface LimitFieldsProps {
  readonly org: string;
  readonly form: ReturnType<typeof useFields<KeyFields>>;
  /** Optional. A key that exists can only be narrowed. */
  readonly before?: ApiKey;
}

function LimitFields({ org, form: { fields, set, bind }, before }: LimitFieldsProps) {
  const { scopes, workspaceIds } = fields;
  return (
    <>
      {!before?.scopes && (
        <Checkbox
          label="Limit what the key can do"
          value={scopes !== null}
          onValue={(isLimited) => set({ scopes: isLimited ? [] : null })}
        />
      )}
      {scopes !== null && (
        <CheckboxGroup
          legend="Scopes"
          options={before?.scopes ?? allScopes}
          value={scopes}
          onValue={(chosen) => set({ scopes: [...chosen] })}
        />
      )}
      {!before?.workspaceIds && (
        <Checkbox
          label="Limit to workspaces"
          value={workspaceIds !== null}
          onValue={(isLimited) => set({ workspaceIds: isLimited ? [] : null })}
        />
      )}
      {workspaceIds !== null && (
        <WorkspacesField
          org={org}
          label="Workspaces"
          hint="The key cannot see any other workspace, nor the settings of the organization."
          among={before?.workspaceIds ?? undefined}
          value={workspaceIds}
          onValue={(chosen) => set({ workspaceIds: chosen })}
        />
      )}
      <TextArea
        label="Allowed addresses"
        hint="Optional. IP addresses or blocks such as 192.0.2.0/24, one per line. The key is refused from any other address."
        rows={2}
        {...bind('cidrs')}
      />
    </>
  );
}

/** The audit log records each reveal. */
export function RevealKeyDialog({ org, shownKey, onClose }: KeyDialogProps) {
  const { keyId: key, name } = shownKey;
  const reveal = () => api.post('/organizations/{org}/keys/{key}/reveal', { params: { path: { org, key } } });
  const { value, error } = useLoad(['revealed-key', key], reveal, { isOnce: true });
  return <KeySecretDialog title={name} secret={value?.apiKey ?? null} error={error} of={shownKey} onClose={onClose} />;
}

interface KeySecretDialogProps {
  readonly title: string;
  readonly secret: string | null;
  readonly error?: Error | null;
  readonly of: Pick<ApiKey, 'scopes' | 'workspaceIds'>;
  readonly onClose: () => void;
}

export function KeySecretDialog({ of: { scopes, workspaceIds }, ...shown }: KeySecretDialogProps) {
  const isLimited = Boolean(scopes ?? workspaceIds);
  return (
    <SecretDialog {...shown} what="API key">
      Store it securely. Anyone who has this key has {isLimited ? 'its rights' : 'full access to the organization'}.
    </SecretDialog>
  );
}

export function RevokeKeyDialog({ org, shownKey, onClose }: KeyDialogProps) {
  const { keyId: key, name } = shownKey;
  const params = { path: { org, key } };
  const [cancels, setCancels] = useState(false);
  const load = () => api.get('/organizations/{org}/keys/{key}/scheduled', { params });
  const scheduled = useLoad(['scheduled-by-key', key], load, { isOnce: true });
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      submit="Revoke key"
      onConfirm={async () => {
        await api.delete('/organizations/{org}/keys/{key}', { params });
        if (cancels) await cancelEvery(() => api.post('/organizations/{org}/keys/{key}/cancel-scheduled', { params }));
        toast(`${name} revoked.`);
      }}
      onClose={onClose}
    >
      <p>Programs that use it lose access immediately. You can't undo this.</p>
      <ErrorBox error={scheduled.error} onRetry={scheduled.reload} />
      {scheduled.value && <ScheduledByKey list={scheduled.value} cancels={cancels} onCancels={setCancels} />}
    </ConfirmDialog>
  );
}
