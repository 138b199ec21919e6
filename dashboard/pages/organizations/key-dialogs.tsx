import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { SecretDialog, type SecretDialogProps } from '../../kit/dialogs/secret-dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { toast } from '../../kit/toast.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { cancelEvery } from '../../../client/cancel-every.ts';
import { ScheduledByKey } from '../scheduled/scheduled-by-key.tsx';

export interface ShownKey {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[] | null;
  readonly workspaceIds: readonly string[] | null;
}

interface RevealKeyDialogProps {
  readonly org: string;
  readonly shownKey: ShownKey;
  readonly onClose: () => void;
}

/** The audit log records each reveal. */
export function RevealKeyDialog({ org, shownKey, onClose }: RevealKeyDialogProps) {
  const { keyId: key, name, scopes, workspaceIds } = shownKey;
  const params = { path: { org, key } };
  const revealed = useLoad(() => api.post('/organizations/{org}/keys/{key}/reveal', { params }), [key], {
    isOnce: true,
  });
  return (
    <KeySecretDialog
      title={name}
      secret={revealed.value?.apiKey ?? null}
      error={revealed.error}
      isLimited={Boolean(scopes ?? workspaceIds)}
      onClose={onClose}
    />
  );
}

interface KeySecretDialogProps extends Omit<SecretDialogProps, 'what' | 'children'> {
  readonly isLimited: boolean;
}

export function KeySecretDialog({ isLimited, ...shown }: KeySecretDialogProps) {
  return (
    <SecretDialog {...shown} what="API key">
      Store it securely. Anyone who has this key has {isLimited ? 'its rights' : 'full access to the organization'}.
    </SecretDialog>
  );
}

interface RevokeKeyDialogProps extends RevealKeyDialogProps {
  readonly onRevoked: () => Promise<void>;
}

export function RevokeKeyDialog({ org, shownKey, onRevoked, onClose }: RevokeKeyDialogProps) {
  const { keyId: key, name } = shownKey;
  const params = { path: { org, key } };
  const scheduled = useLoad(() => api.get('/organizations/{org}/keys/{key}/scheduled', { params }), [key]);
  const [cancels, setCancels] = useState(false);
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      submit="Revoke key"
      onConfirm={async () => {
        await api.delete('/organizations/{org}/keys/{key}', { params });
        if (cancels) await cancelEvery(() => api.post('/organizations/{org}/keys/{key}/cancel-scheduled', { params }));
        toast(`${name} revoked.`);
        await onRevoked();
      }}
      onClose={onClose}
    >
      <p>Programs that use it lose access immediately. You can't undo this.</p>
      <ErrorBox error={scheduled.error} onRetry={() => void scheduled.reload()} />
      {scheduled.value && <ScheduledByKey list={scheduled.value} cancels={cancels} onCancels={setCancels} />}
    </ConfirmDialog>
  );
}
