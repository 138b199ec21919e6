import { usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { actionColumn, type Column, ListPage } from '../../kit/lists.tsx';
import { CopyableId, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { type Credential, RevokeAgentDialog } from './revoke-agent-dialog.tsx';
import { RotatedDialog } from './secrets.tsx';

interface CredentialPage {
  readonly credentials: readonly Credential[];
  readonly nextCursor: string | null;
}

export function Page() {
  const { organizationId: org, role } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(['credentials', org], ({ cursor }) => credentialsOf(org, cursor));
  const revoke = (credential: Credential) =>
    dialog.open((close) => (
      <RevokeAgentDialog
        credential={credential}
        onRotated={(rotations) =>
          dialog.open((closeRotated) => <RotatedDialog rotations={rotations} onClose={closeRotated} />)
        }
        onClose={close}
      />
    ));
  return (
    <>
      <ListPage
        title="Agents"
        about={
          <>
            {role === 'admin' ? 'Agents that act for members of this organization' : 'Agents that act for you'}. Each
            has the scopes that it requested, as far as the member's role allows them.
          </>
        }
        pages={pages}
        caption="Agent credentials"
        columns={[
          ...columns,
          actionColumn<Credential>(
            ({ credentialId }) => credentialId,
            (credential) => [['Revoke', () => revoke(credential)]],
          ),
        ]}
        keyOf={({ credentialId }) => credentialId}
        one="credential"
        empty={
          <EmptyState title="No agents yet" command={`curl ${location.origin}/auth.md`}>
            An agent asks for your email address, and you tell it the code that we send you. Its instructions are at{' '}
            <a href="/auth.md">/auth.md</a>.
          </EmptyState>
        }
      />
      {dialog.shown}
    </>
  );
}

/** Skips pages without a credential of this organization, because the API lists all organizations. */
async function credentialsOf(org: string, cursor: string | undefined): Promise<CredentialPage> {
  const params = { query: { limit: 100, ...(cursor !== undefined && { cursor }) } };
  const { credentials, nextCursor } = await api.get('/agent/credentials', { params });
  const own = credentials.filter(({ organizationPublicId }) => organizationPublicId === org);
  if (own.length > 0 || nextCursor === null) return { credentials: own, nextCursor };
  return await credentialsOf(org, nextCursor);
}

const columns: readonly Column<Credential>[] = [
  { head: 'Acts for', cell: ({ email }) => email },
  { head: 'ID', cell: ({ credentialId }) => <CopyableId id={credentialId} /> },
  { head: 'Scopes', isWide: true, cell: ({ scopes }) => <span class="scopes">{scopes.join(', ')}</span> },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
