import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import type { Tone } from '../../kit/tone.ts';
import { Button, type CreateTone } from '../../kit/button.tsx';
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

export function Page() {
  const { organizationId: org } = useOrganization();
  const [isInviting, setInviting] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const pages = useInvitations(org);
  const invite = (tone: CreateTone) => (
    <Button tone={tone} onClick={() => setInviting(true)}>
      <Icon name="plus" /> Invite member
    </Button>
  );
  return (
    <>
      <PageHeader title="Invitations" actions={invite('primary')}>
        Invitations are sent by email. Each link works once, expires after seven days, and is valid only for that
        address.
      </PageHeader>
      <List
        pages={pages}
        caption="Invitations"
        columns={[...columns(org), revokeColumn(setRevoked)]}
        keyOf={({ invitationId }) => invitationId}
        one="invitation"
        many="invitations"
        empty={
          <EmptyState title="No invitations yet" action={invite('plain')}>
            People you invite become members of the organization, and of a workspace if you choose one.
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
  { head: 'Email', isWide: true, cell: ({ email }) => email },
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
  { head: 'Status', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  { head: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Expires', cell: ({ status, expiresAt }) => status === 'open' && <RelativeTime at={expiresAt} /> },
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
        aria-label={`Revoke invitation for ${invitation.email}`}
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
      title={`Revoke the invitation for ${email}?`}
      submit="Revoke invitation"
      onConfirm={async () => {
        await api.delete('/organizations/{org}/invitations/{inv}', { params: { path: { org, inv } } });
        toast(`Invitation for ${email} revoked.`);
        await onDone();
      }}
      onClose={onClose}
    >
      <p>The link in the email stops working immediately. You can invite the person again.</p>
    </ConfirmDialog>
  );
}
