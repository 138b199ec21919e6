import { useState } from 'preact/hooks';
import { records } from '../../../client/pages.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { api } from '../../session/api.ts';
import { organizationPath } from '../../routes/paths.ts';
import { type Member, type WorkspaceRole, workspaceRoleLabels } from './member-columns.tsx';

interface AddMemberDialogProps {
  readonly organizationId: string;
  readonly ws: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

export function AddMemberDialog({ organizationId, ws, onAdded, onClose }: AddMemberDialogProps) {
  const candidates = useLoad(() => candidatesFor(organizationId, ws), [organizationId, ws]);
  return (
    <Dialog title="Add member" onClose={onClose}>
      <ErrorBox error={candidates.error} onRetry={() => void candidates.reload()} />
      {!candidates.value && !candidates.error && <Loading />}
      {candidates.value?.[0] && (
        <AddForm
          ws={ws}
          candidates={candidates.value}
          first={candidates.value[0]}
          onAdded={onAdded}
          onClose={onClose}
        />
      )}
      {candidates.value?.length === 0 && <p>Everyone in the organization is already a member of this workspace.</p>}
      <p class="hint" onClick={onClose}>
        Someone new? <a href={organizationPath(organizationId, 'invitations')}>Invite them</a> to the organization and
        this workspace.
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
    toast(`${email} added to the workspace.`);
    onAdded();
  });
  return (
    <Form action={action} submit="Add member" onCancel={onClose}>
      <SelectField
        label="Member"
        value={userId}
        options={candidates.map((member) => [member.userId, member.email] as const)}
        onValue={setUserId}
      />
      <SelectField label="Workspace role" value={role} options={workspaceRoleLabels} onValue={setRole} />
    </Form>
  );
}

async function candidatesFor(org: string, ws: string): Promise<Member[]> {
  const pageQuery = (cursor: string | undefined) => ({ limit: 100, ...(cursor !== undefined && { cursor }) });
  const existing = new Set<string>();
  const workspaceMembers = records(
    (cursor) => api.get('/workspaces/{ws}/members', { params: { path: { ws }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  for await (const { userId } of workspaceMembers) existing.add(userId);
  const candidates: Member[] = [];
  const organizationMembers = records(
    (cursor) => api.get('/organizations/{org}/members', { params: { path: { org }, query: pageQuery(cursor) } }),
    ({ members }) => members,
  );
  for await (const member of organizationMembers) if (!existing.has(member.userId)) candidates.push(member);
  return candidates;
}
