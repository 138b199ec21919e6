import { useState } from 'preact/hooks';
import { everyRecord } from '../../../client/pages.ts';
import { CheckLine } from '../../kit/forms/check-line.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
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

/** Removes a person. Shows what they know first, and ends it on request: nothing of it ends by the removal. */
export function RemoveMemberDialog({ org, member, onDone, onClose }: RemoveMemberDialogProps) {
  const path = { org, usr: member.userId };
  const known = useLoad(() => knowledgeOf(path), [org, member.userId]);
  const [rotations, setRotations] = useState<readonly Rotation[] | null>(null);
  const isOwn = isMe(member);
  if (rotations) return <RotatedDialog rotations={rotations} onClose={onClose} />;
  return (
    <Dialog title={isOwn ? 'Leave the organization?' : `Remove ${member.email}?`} onClose={onClose} isWide>
      <div class="prose">
        <p>
          {isOwn ? 'You lose' : 'They lose'} the organization and all of its workspaces at once, and the keys of{' '}
          {isOwn ? 'your' : 'their'} agents end. API keys that {isOwn ? 'you' : 'they'} made stay, and so do the secrets
          that {isOwn ? 'you' : 'they'} have read, unless you end them here.
        </p>
      </div>
      <ErrorBox error={known.error} onRetry={() => void known.reload()} />
      {known.value ? (
        <RemoveForm
          member={member}
          path={path}
          known={known.value}
          onRemoved={async (rotated) => {
            toast(`${member.email} is no member any more.`);
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
        !known.error && <Waiting />
      )}
    </Dialog>
  );
}

interface Knowledge {
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
  readonly known: Knowledge;
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
    <Form action={action} submit={isOwn ? 'Leave' : 'Remove'} tone="danger" onCancel={onClose}>
      <KeyList keys={keys} />
      {!isOwn && keys.some(({ relation }) => relation === 'made') && (
        <CheckLine label="Revoke the keys that they made" isChecked={revokesKeys} onChecked={setRevokesKeys} />
      )}
      <RevealList reveals={reveals} />
      {!isOwn && reveals.length > 0 && (
        <CheckLine
          label="Rotate these secrets"
          hint="The old ones stay valid for an hour. Programs that use them need the new ones by then."
          isChecked={rotates}
          onChecked={setRotates}
        />
      )}
    </Form>
  );
}

/** What stays valid when the person is gone. */
async function knowledgeOf(path: MemberPath): Promise<Knowledge> {
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
