import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { everyRecord } from '../../../client/pages.ts';
import { useLoad } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { Checkbox, Form } from '../../kit/forms.tsx';
import { WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { navigate } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { loadSession } from '../../session/session.ts';
import { isMe, type Member } from './member-columns.tsx';
import { RevealList, type Rotation } from './secrets.tsx';

interface RemoveMemberDialogProps {
  readonly org: string;
  readonly member: Member;
  readonly onRotated: (rotations: readonly Rotation[]) => void;
  readonly onClose: () => void;
}

/** First lists the secrets that the member knows. They stay valid unless the user ends them. */
export function RemoveMemberDialog({ org, member, onRotated, onClose }: RemoveMemberDialogProps) {
  const path = { org, usr: member.userId };
  const params = { path };
  const load = () => loadKnownSecrets(path);
  const known = useLoad(['known-to-member', org, member.userId], load, { isOnce: true });
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [rotates, setRotates] = useState(false);
  const isOwn = isMe(member);
  const remove = async () => {
    await api.delete('/organizations/{org}/members/{usr}', { params });
    if (revokesKeys) await api.post('/organizations/{org}/members/{usr}/revoke-keys', { params, body: {} });
    const rotated = rotates
      ? await api.post('/organizations/{org}/members/{usr}/rotate-revealed', { params, body: {} })
      : null;
    toast(isOwn ? 'You left the organization.' : `${member.email} removed.`);
    if (isOwn) {
      await loadSession();
      navigate('/app');
    } else if (rotated && rotated.rotations.length > 0) onRotated(rotated.rotations);
  };
  return (
    <Dialog title={isOwn ? 'Leave this organization?' : `Remove ${member.email}?`} onClose={onClose} isWide>
      <div class="prose">
        <p>
          {isOwn ? 'You lose' : 'They lose'} access to the organization and all its workspaces immediately, and the keys
          of {isOwn ? 'your' : 'their'} agents stop working. API keys that {isOwn ? 'you' : 'they'} created and secrets
          that {isOwn ? 'you' : 'they'} have seen stay valid{isOwn ? '.' : ' unless you revoke or rotate them here.'}
        </p>
      </div>
      <WhenLoaded of={known}>
        {({ reveals, keys }) => (
          <Form
            act={remove}
            onDone={onClose}
            submit={isOwn ? 'Leave organization' : 'Remove member'}
            tone="danger"
            onCancel={onClose}
          >
            <KeyList keys={keys} />
            {!isOwn && keys.some(({ relation }) => relation === 'made') && (
              <Checkbox label="Revoke the keys that they created" value={revokesKeys} onValue={setRevokesKeys} />
            )}
            <RevealList reveals={reveals} />
            {!isOwn && reveals.length > 0 && (
              <Checkbox
                label="Rotate these secrets"
                hint="The old values stay valid for one hour. Update the programs that use them before then."
                value={rotates}
                onValue={setRotates}
              />
            )}
          </Form>
        )}
      </WhenLoaded>
    </Dialog>
  );
}

function KeyList({ keys }: { readonly keys: readonly Schema<'MemberKey'>[] }) {
  if (keys.length === 0) return null;
  return (
    <div class="prose">
      <p>API keys that they know:</p>
      <ul>
        {keys.map(({ keyId, name, relation }) => (
          <li key={keyId}>
            {name} <code>{keyId}</code>
            {relation === 'revealed' && ', created by someone else and revealed to them'}
          </li>
        ))}
      </ul>
    </div>
  );
}

async function loadKnownSecrets(path: { readonly org: string; readonly usr: string }) {
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
