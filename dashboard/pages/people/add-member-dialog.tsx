import { useState } from 'preact/hooks';
import { records } from '../../../client/pages.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { organizationPath } from '../../routes/paths.ts';
import { type Member, type WorkspaceRole, workspaceRoleWords } from './member-columns.tsx';

interface AddMemberDialogProps {
  readonly organizationId: string;
  readonly ws: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

/** Makes a member of the organization one of the workspace. */
export function AddMemberDialog({ organizationId, ws, onAdded, onClose }: AddMemberDialogProps) {
  const candidates = useLoad(() => candidatesFor(organizationId, ws), [organizationId, ws]);
  return (
    <Dialog title="Add a person" onClose={onClose}>
      <ErrorBox error={candidates.error} onRetry={() => void candidates.reload()} />
      {!candidates.value && !candidates.error && <Waiting />}
      {candidates.value?.[0] && (
        <AddForm
          ws={ws}
          candidates={candidates.value}
          first={candidates.value[0]}
          onAdded={onAdded}
          onClose={onClose}
        />
      )}
      {candidates.value?.length === 0 && <p>Everybody in the organization is in this workspace already.</p>}
      <p class="hint" onClick={onClose}>
        Somebody new? <a href={organizationPath(organizationId, 'invitations')}>Invite them</a> to the organization and
        to this workspace at once.
      </p>
    </Dialog>
  );
}

interface AddFormProps {
  readonly ws: string;
  readonly candidates: readonly Member[];
  readonly first: Member;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

function AddForm({ ws, candidates, first, onAdded, onClose }: AddFormProps) {
  const [userId, setUserId] = useState(first.userId);
  const [role, setRole] = useState<WorkspaceRole>('member');
  const action = useAction(async () => {
    const params = { path: { ws, usr: userId } };
    const { email } = await api.put('/workspaces/{ws}/members/{usr}', { params, body: { role } });
    toast(`${email} is in the workspace now.`);
    onAdded();
  });
  return (
    <Form action={action} submit="Add" onCancel={onClose}>
      <SelectField
        label="Person"
        value={userId}
        options={candidates.map((member) => [member.userId, member.email] as const)}
        onValue={setUserId}
      />
      <SelectField label="Role in the workspace" value={role} options={workspaceRoleWords} onValue={setRole} />
    </Form>
  );
}

/** Who is in the organization and not yet in the workspace. */
async function candidatesFor(org: string, ws: string): Promise<Member[]> {
  const pageQuery = (cursor: string | undefined) => ({ limit: 100, ...(cursor !== undefined && { cursor }) });
  const inside = new Set<string>();
  const ofWorkspace = records(
    (cursor) => api.get('/workspaces/{ws}/members', { params: { path: { ws }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  for await (const { userId } of ofWorkspace) inside.add(userId);
  const candidates: Member[] = [];
  const ofOrganization = records(
    (cursor) => api.get('/organizations/{org}/members', { params: { path: { org }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  for await (const member of ofOrganization) if (!inside.has(member.userId)) candidates.push(member);
  return candidates;
}
