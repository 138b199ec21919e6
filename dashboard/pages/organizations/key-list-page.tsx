import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button, type CreateTone } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { pluralize } from '../../kit/format/pluralize.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { RevealKeyDialog, RevokeKeyDialog } from './key-dialogs.tsx';

type ApiKey = Schema<'ApiKey'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const pages = useKeys(org);
  const close = () => setOpen(null);
  const create = (tone: CreateTone) => (
    <Button tone={tone} onClick={() => setOpen({ act: 'create' })}>
      <Icon name="plus" /> Create key
    </Button>
  );
  return (
    <>
      <PageHeader title="API keys" actions={create('primary')}>
        Create one key per program to revoke them separately, and limit it to what the program needs.
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
            action={create('plain')}
            command={`curl ${location.origin}/organizations/${org} -H "Authorization: Bearer hmok_…"`}
          >
            Programs, scripts and the CLI call the API with a key. Create one, then try it.
          </EmptyState>
        }
      />
      {open && <OpenedDialog open={open} org={org} onChanged={pages.reload} onClose={close} />}
    </>
  );
}

interface OpenedDialogProps {
  readonly open: OpenDialog;
  readonly org: string;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

function OpenedDialog({ open, onChanged, ...dialog }: OpenedDialogProps) {
  switch (open.act) {
    case 'create':
      return <CreateKeyDialog onCreated={onChanged} {...dialog} />;
    case 'reveal':
      return <RevealKeyDialog shownKey={open.key} {...dialog} />;
    case 'edit':
      return <EditKeyDialog apiKey={open.key} onChanged={onChanged} {...dialog} />;
    case 'revoke':
      return <RevokeKeyDialog shownKey={open.key} onRevoked={onChanged} {...dialog} />;
  }
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
  { head: 'Access', cell: (key) => <Access {...key} /> },
  { head: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { head: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Expiry at={expiresAt} /> : 'never') },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function Expiry({ at }: { readonly at: string }) {
  const isExpired = new Date(at).getTime() <= Date.now();
  return isExpired ? <Badge tone="warn">expired</Badge> : <RelativeTime at={at} />;
}

function Access({ scopes, workspaceIds, allowedCidrs }: ApiKey) {
  const limits = [
    { of: scopes, one: 'scope' },
    { of: workspaceIds, one: 'workspace' },
    { of: allowedCidrs, one: 'address block' },
  ];
  const shown = limits.flatMap(({ of, one }) => (of ? [{ text: pluralize(of.length, one), of }] : []));
  if (shown.length === 0) return <>full</>;
  return (
    <>
      {shown.map(({ text, of }) => (
        <div key={text} class="nowrap" title={of.join(', ')}>
          {text}
        </div>
      ))}
    </>
  );
}

type OpenDialog = { readonly act: 'create' } | KeyAct;

interface KeyAct {
  readonly act: 'reveal' | 'edit' | 'revoke';
  readonly key: ApiKey;
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
      <Button small tone="quiet" aria-label={`Edit ${key.name}`} onClick={() => open({ act: 'edit', key })}>
        Edit
      </Button>
      <Button small tone="quiet" aria-label={`Revoke ${key.name}`} onClick={() => open({ act: 'revoke', key })}>
        Revoke
      </Button>
    </div>
  ),
});
