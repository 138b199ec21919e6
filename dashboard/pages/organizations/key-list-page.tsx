import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { pluralize } from '../../kit/format/format.ts';
import { actionColumn, type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, CreateButton, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { CreateKeyDialog, EditKeyDialog, KeySecretDialog, RevealKeyDialog, RevokeKeyDialog } from './key-dialogs.tsx';

type ApiKey = Schema<'ApiKey'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(['keys', org], (query) =>
    api.get('/organizations/{org}/keys', { params: { path: { org }, query } }),
  );
  const showSecret = (created: Schema<'CreatedApiKey'>) =>
    dialog.open((close) => (
      <KeySecretDialog title="API key created" secret={created.apiKey} of={created} onClose={close} />
    ));
  const openCreate = () => dialog.open((close) => <CreateKeyDialog org={org} onCreated={showSecret} onClose={close} />);
  const actions = actionColumn<ApiKey>(
    ({ name }) => name,
    (key) => [
      !key.agentCredentialId && [
        'Reveal',
        () => dialog.open((close) => <RevealKeyDialog org={org} shownKey={key} onClose={close} />),
      ],
      ['Edit', () => dialog.open((close) => <EditKeyDialog org={org} shownKey={key} onClose={close} />)],
      ['Revoke', () => dialog.open((close) => <RevokeKeyDialog org={org} shownKey={key} onClose={close} />)],
    ],
  );
  return (
    <>
      <ListPage
        title="API keys"
        about="Create one key per program to revoke them separately, and limit it to what the program needs."
        actions={
          <CreateButton tone="primary" onClick={openCreate}>
            Create key
          </CreateButton>
        }
        pages={pages}
        columns={[...columns, actions]}
        keyOf={({ keyId }) => keyId}
        one="key"
        empty={
          <EmptyState
            title="No API keys yet"
            action={<CreateButton onClick={openCreate}>Create key</CreateButton>}
            command={`curl ${location.origin}/organizations/${org} -H "Authorization: Bearer hmok_…"`}
          >
            Programs, scripts and the CLI call the API with a key. Create one, then try it.
          </EmptyState>
        }
      />
      {dialog.shown}
    </>
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
