import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import type { Tone } from '../../kit/tone.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import { InviteDialog } from './invite-dialog.tsx';

type Invitation = Schema<'Invitation'>;

const tones: Readonly<Record<Invitation['status'], Tone>> = {
  open: 'info',
  accepted: 'good',
  revoked: 'neutral',
  expired: 'warn',
};

/** Who was asked to join an organization. */
export function Page() {
  const { organizationId: org } = useOrganization();
  const [isInviting, setInviting] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const pages = useInvitations(org);
  const invite = (
    <Button tone="primary" onClick={() => setInviting(true)}>
      <Icon name="plus" /> Invite a person
    </Button>
  );
  return (
    <>
      <PageHeader title="Invitations" actions={invite}>
        A person is invited by e-mail. The link in the mail is good for seven days, once, and for that address only.
      </PageHeader>
      <List
        pages={pages}
        caption="Invitations"
        columns={[...columns(org), revokeColumn(setRevoked)]}
        keyOf={({ invitationId }) => invitationId}
        one="invitation"
        many="invitations"
        empty={
          <EmptyState title="Nobody was invited yet" action={invite}>
            People whom you invite become members of the organization, and of a workspace if you name one.
          </EmptyState>
        }
      />
      {isInviting && <InviteDialog org={org} onInvited={pages.reload} onClose={() => setInviting(false)} />}
      {revoked && (
        <RevokeDialog org={org} invitation={revoked} onDone={pages.reload} onClose={() => setRevoked(null)} />
      )}
    </>
  );
}

function useInvitations(org: string) {
  return usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...(cursor !== undefined && { cursor }) } };
      const { invitations, nextCursor } = await api.get('/organizations/{org}/invitations', { params });
      return { items: invitations, nextCursor };
    },
    [org],
  );
}

const columns = (org: string): readonly Column<Invitation>[] => [
  { head: 'Address', isWide: true, cell: ({ email }) => email },
  { head: 'Role', cell: ({ role }) => role },
  {
    head: 'Workspace',
    cell: ({ workspaceId, workspaceRole }) =>
      workspaceId && (
        <span class="nowrap">
          <WorkspaceLink org={org} id={workspaceId} /> as {workspaceRole}
        </span>
      ),
  },
  { head: 'State', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { head: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Ends', cell: ({ status, expiresAt }) => status === 'open' && <RelativeTime at={expiresAt} /> },
];

const revokeColumn = (revoke: (invitation: Invitation) => void): Column<Invitation> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (invitation) =>
    invitation.status === 'open' && (
      <Button
        small
        tone="quiet"
        aria-label={`Revoke the invitation of ${invitation.email}`}
        onClick={() => revoke(invitation)}
      >
        Revoke
      </Button>
    ),
});

interface RevokeDialogProps {
  readonly org: string;
  readonly invitation: Invitation;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function RevokeDialog({ org, invitation, onDone, onClose }: RevokeDialogProps) {
  const { email, invitationId: inv } = invitation;
  return (
    <ConfirmDialog
      title={`Revoke the invitation of ${email}?`}
      submit="Revoke"
      onConfirm={async () => {
        await api.delete('/organizations/{org}/invitations/{inv}', { params: { path: { org, inv } } });
        toast(`The invitation of ${email} is revoked.`);
        await onDone();
      }}
      onClose={onClose}
    >
      <p>The link in the mail ends at once. You can invite the person again.</p>
    </ConfirmDialog>
  );
}
