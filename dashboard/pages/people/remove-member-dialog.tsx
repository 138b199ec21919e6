import { useState } from 'preact/hooks';
import { everyRecord } from '../../../client/pages.ts';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { navigate } from '../../routes/router.ts';
import { loadSession } from '../../session/session.ts';
import { RevealList, type Reveal } from '../reveals/reveal-list.tsx';
import { RotatedDialog, type Rotation } from '../reveals/rotated-dialog.tsx';
import { isMe, type Member } from './member-columns.tsx';
import { KeyList, type MemberKey } from './key-list.tsx';

interface RemoveMemberDialogProps {
  readonly org: string;
  readonly member: Member;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** First lists the secrets that the member knows. They stay valid unless the user ends them. */
export function RemoveMemberDialog({ org, member, onDone, onClose }: RemoveMemberDialogProps) {
  const path = { org, usr: member.userId };
  const known = useLoad(() => loadKnownSecrets(path), [org, member.userId]);
  const [rotations, setRotations] = useState<readonly Rotation[] | null>(null);
  const isOwn = isMe(member);
  if (rotations) return <RotatedDialog rotations={rotations} onClose={onClose} />;
  return (
    <Dialog title={isOwn ? 'Leave this organization?' : `Remove ${member.email}?`} onClose={onClose} isWide>
      <div class="prose">
        <p>
          {isOwn ? 'You lose' : 'They lose'} access to the organization and all its workspaces immediately, and the keys
          of {isOwn ? 'your' : 'their'} agents stop working. API keys that {isOwn ? 'you' : 'they'} created and secrets
          that {isOwn ? 'you' : 'they'} have seen stay valid{isOwn ? '.' : ' unless you revoke or rotate them here.'}
        </p>
      </div>
      <ErrorBox error={known.error} onRetry={() => void known.reload()} />
      {known.value ? (
        <RemoveForm
          member={member}
          path={path}
          known={known.value}
          onRemoved={async (rotated) => {
            toast(isOwn ? 'You left the organization.' : `${member.email} removed.`);
            if (isOwn) {
              await loadSession();
              return navigate('/app');
            }
            await onDone();
            if (rotated.length > 0) setRotations(rotated);
            else onClose();
          }}
          onClose={onClose}
        />
      ) : (
        !known.error && <Loading />
      )}
    </Dialog>
  );
}

interface KnownSecrets {
  readonly reveals: readonly Reveal[];
  readonly keys: readonly MemberKey[];
}

interface MemberPath {
  readonly org: string;
  readonly usr: string;
}

interface RemoveFormProps {
  readonly member: Member;
  readonly path: MemberPath;
  readonly known: KnownSecrets;
  readonly onRemoved: (rotations: readonly Rotation[]) => Promise<void>;
  readonly onClose: () => void;
}

function RemoveForm({ member, path, known: { reveals, keys }, onRemoved, onClose }: RemoveFormProps) {
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [rotates, setRotates] = useState(false);
  const isOwn = isMe(member);
  const params = { path };
  const action = useAction(async () => {
    await api.delete('/organizations/{org}/members/{usr}', { params });
    if (revokesKeys) await api.post('/organizations/{org}/members/{usr}/revoke-keys', { params, body: {} });
    const rotated = rotates
      ? await api.post('/organizations/{org}/members/{usr}/rotate-revealed', { params, body: {} })
      : null;
    await onRemoved(rotated?.rotations ?? []);
  });
  return (
    <Form action={action} submit={isOwn ? 'Leave organization' : 'Remove member'} tone="danger" onCancel={onClose}>
      <KeyList keys={keys} />
      {!isOwn && keys.some(({ relation }) => relation === 'made') && (
        <Checkbox label="Revoke the keys that they created" isChecked={revokesKeys} onChecked={setRevokesKeys} />
      )}
      <RevealList reveals={reveals} />
      {!isOwn && reveals.length > 0 && (
        <Checkbox
          label="Rotate these secrets"
          hint="The old values stay valid for one hour. Update the programs that use them before then."
          isChecked={rotates}
          onChecked={setRotates}
        />
      )}
    </Form>
  );
}

async function loadKnownSecrets(path: MemberPath): Promise<KnownSecrets> {
  const query = (cursor: string | undefined) => ({ limit: 100, ...(cursor !== undefined && { cursor }) });
  const reveals = await everyRecord(
    (cursor) => api.get('/organizations/{org}/members/{usr}/reveals', { params: { path, query: query(cursor) } }),
    (page) => page.reveals,
  );
  const keys = await everyRecord(
    (cursor) => api.get('/organizations/{org}/members/{usr}/keys', { params: { path, query: query(cursor) } }),
    (page) => page.keys,
  );
  return { reveals: reveals.filter(({ current }) => current), keys: keys.filter(({ scopes }) => scopes === null) };
}
