import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { type ListPage, usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { type Credential, RevokeAgentDialog } from './revoke-agent-dialog.tsx';

export function Page() {
  const { organizationId: org, role } = useOrganization();
  const [revoked, setRevoked] = useState<Credential | null>(null);
  const pages = useCredentials(org);
  return (
    <>
      <PageHeader title="Agents">
        {role === 'admin' ? 'Agents that act for members of this organization' : 'Agents that act for you'}. Each has
        the scopes that it requested, as far as the member's role allows them.
      </PageHeader>
      <List
        pages={pages}
        caption="Agent credentials"
        columns={[...columns, revokeColumn(setRevoked)]}
        keyOf={({ credentialId }) => credentialId}
        one="credential"
        many="credentials"
        empty={
          <EmptyState title="No agents yet" command={`curl ${location.origin}/auth.md`}>
            An agent asks for your email address, and you tell it the code that we send you. Its instructions are at{' '}
            <a href="/auth.md">/auth.md</a>.
          </EmptyState>
        }
      />
      {revoked && <RevokeAgentDialog credential={revoked} onDone={pages.reload} onClose={() => setRevoked(null)} />}
    </>
  );
}

function useCredentials(org: string) {
  return usePages(async (cursor) => await credentialsOf(org, cursor), [org]);
}

/** Skips pages without a credential of this organization, because the API lists all organizations. */
async function credentialsOf(org: string, cursor: string | undefined): Promise<ListPage<Credential>> {
  const params = { query: { limit: 100, ...(cursor !== undefined && { cursor }) } };
  const { credentials, nextCursor } = await api.get('/agent/credentials', { params });
  const items = credentials.filter(({ organizationPublicId }) => organizationPublicId === org);
  if (items.length > 0 || nextCursor === null) return { items, nextCursor };
  return await credentialsOf(org, nextCursor);
}

const columns: readonly Column<Credential>[] = [
  { head: 'Acts for', cell: ({ email }) => email },
  { head: 'ID', cell: ({ credentialId }) => <CopyableId id={credentialId} /> },
  { head: 'Scopes', isWide: true, cell: ({ scopes }) => <span class="scopes">{scopes.join(', ')}</span> },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const revokeColumn = (revoke: (credential: Credential) => void): Column<Credential> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (credential) => (
    <Button small tone="quiet" aria-label={`Revoke ${credential.credentialId}`} onClick={() => revoke(credential)}>
      Revoke
    </Button>
  ),
});
