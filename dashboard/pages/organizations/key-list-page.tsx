import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RevealKeyDialog, RevokeKeyDialog, type ShownKey } from './key-dialogs.tsx';

type ApiKey = Schema<'ApiKey'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const [open, setOpen] = useState<{ readonly act: 'create' } | KeyAct | null>(null);
  const pages = useKeys(org);
  const close = () => setOpen(null);
  const create = (
    <Button tone="primary" onClick={() => setOpen({ act: 'create' })}>
      <Icon name="plus" /> Create key
    </Button>
  );
  return (
    <>
      <PageHeader title="API keys" actions={create}>
        A key has full access to the organization. Create one per program to revoke them separately.
      </PageHeader>
      <List
        pages={pages}
        caption="API keys"
        columns={[...columns, actionColumn(setOpen)]}
        keyOf={({ keyId }) => keyId}
        one="key"
        many="keys"
        empty={
          <EmptyState
            title="No API keys yet"
            action={create}
            command={`curl ${location.origin}/organizations/${org} -H "Authorization: Bearer hmok_…"`}
          >
            Programs, scripts and the CLI call the API with a key. Create one, then try it.
          </EmptyState>
        }
      />
      {open?.act === 'create' && <CreateKeyDialog org={org} onCreated={pages.reload} onClose={close} />}
      {open?.act === 'reveal' && <RevealKeyDialog org={org} shownKey={open.key} onClose={close} />}
      {open?.act === 'revoke' && (
        <RevokeKeyDialog org={org} shownKey={open.key} onRevoked={pages.reload} onClose={close} />
      )}
    </>
  );
}

function useKeys(org: string) {
  return usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...(cursor !== undefined && { cursor }) } };
      const { keys, nextCursor } = await api.get('/organizations/{org}/keys', { params });
      return { items: keys, nextCursor };
    },
    [org],
  );
}

const columns: readonly Column<ApiKey>[] = [
  {
    head: 'Name',
    isWide: true,
    cell: ({ name, agentCredentialId }) => (
      <>
        {name} {agentCredentialId && <Badge>agent</Badge>}
      </>
    ),
  },
  { head: 'Key', cell: ({ keyPrefix, keySuffix }) => <code class="nowrap">{`${keyPrefix}…${keySuffix}`}</code> },
  {
    head: 'Access',
    cell: ({ scopes }) => (scopes ? <span title={scopes.join(', ')}>{`${scopes.length} scopes`}</span> : 'full'),
  },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { head: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Expiry at={expiresAt} /> : 'never') },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function Expiry({ at }: { readonly at: string }) {
  const isExpired = new Date(at).getTime() <= Date.now();
  return isExpired ? <Badge tone="warn">expired</Badge> : <RelativeTime at={at} />;
}

interface KeyAct {
  readonly act: 'reveal' | 'revoke';
  readonly key: ShownKey;
}

const actionColumn = (open: (act: KeyAct) => void): Column<ApiKey> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (key) => (
    <div class="actions">
      {!key.agentCredentialId && (
        <Button small tone="quiet" aria-label={`Reveal ${key.name}`} onClick={() => open({ act: 'reveal', key })}>
          Reveal
        </Button>
      )}
      <Button small tone="quiet" aria-label={`Revoke ${key.name}`} onClick={() => open({ act: 'revoke', key })}>
        Revoke
      </Button>
    </div>
  ),
});
