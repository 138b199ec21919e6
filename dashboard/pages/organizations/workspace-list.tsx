import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { FormDialog, useDialog } from '../../kit/dialogs.tsx';
import { TextField, useFields } from '../../kit/forms.tsx';
import { type Column, ListPage } from '../../kit/lists.tsx';
import { Button, CopyableId, CreateButton, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { query, setQuery } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';

type Workspace = Schema<'Workspace'>;
type WorkspaceKind = Workspace['kind'];

export const kindLabels: Readonly<Record<WorkspaceKind, string>> = { team: 'workspace', customer: 'customer' };

export function TeamPage() {
  return (
    <WorkspaceList
      kind="team"
      title="Workspaces"
      about="Workspaces hold the channels of your own teams. Customer workspaces are listed under Customers."
      empty={(create) => (
        <EmptyState title="No workspaces yet" action={create}>
          Channels, webhooks and deliveries belong to a workspace. Members can see only the workspaces that they belong
          to.
        </EmptyState>
      )}
    />
  );
}

export function CustomerPage() {
  const { organizationId } = useOrganization();
  const search = query.value.get('search') ?? query.value.get('externalId') ?? undefined;
  return (
    <WorkspaceList
      kind="customer"
      title="Customers"
      about="Each customer has a separate workspace. An onboarding link can create one for each account that is connected."
      search={search}
      filters={<CustomerSearch key={search} search={search ?? ''} />}
      empty={(create) =>
        search ? (
          <EmptyState title="No matching customers" action={create}>
            Search for a part of a name or of an external ID.
          </EmptyState>
        ) : (
          <EmptyState
            title="No customers yet"
            action={create}
            command={`curl ${location.origin}/organizations/${organizationId}/workspaces \\
  -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Sunrise Bakery", "kind": "customer", "externalId": "your-id"}'`}
          >
            Create one here, or send a customer an onboarding link: connecting an account then creates the customer.
          </EmptyState>
        )
      }
    />
  );
}

function CustomerSearch({ search }: { readonly search: string }) {
  const [text, setText] = useState(search);
  const find = (wanted: string) => {
    setText(wanted);
    setQuery({ search: wanted, externalId: undefined });
  };
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        find(text);
      }}
    >
      <TextField label="Name or external ID" type="search" maxLength={200} value={text} onValue={setText} />
      <Button type="submit">Search</Button>
      {search !== '' && (
        <Button tone="quiet" onClick={() => find('')}>
          Clear search
        </Button>
      )}
    </form>
  );
}

interface WorkspaceListProps {
  readonly kind: WorkspaceKind;
  readonly title: string;
  readonly about: string;
  readonly search?: string | undefined;
  readonly filters?: ComponentChildren;
  readonly empty: (create: ComponentChildren) => ComponentChildren;
}

function WorkspaceList({ kind, search, empty, ...page }: WorkspaceListProps) {
  const { organizationId: org, role } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(['workspaces', org, kind, search], (at) =>
    api.get('/organizations/{org}/workspaces', {
      params: { path: { org }, query: { kind, ...at, ...(search && { search }) } },
    }),
  );
  const create = (tone: 'primary' | 'plain') =>
    role === 'admin' && (
      <CreateButton
        tone={tone}
        onClick={() => dialog.open((close) => <CreateDialog {...{ org, kind }} onClose={close} />)}
      >
        Create {kindLabels[kind]}
      </CreateButton>
    );
  return (
    <>
      <ListPage
        {...page}
        actions={create('primary')}
        pages={pages}
        columns={columns.filter(({ head }) => kind === 'customer' || head !== 'External ID')}
        keyOf={({ id }) => id}
        one={kindLabels[kind]}
        empty={empty(create('plain'))}
      />
      {dialog.shown}
    </>
  );
}

const columns: readonly Column<Workspace>[] = [
  {
    head: 'Name',
    isWide: true,
    cell: ({ id, name, organizationId }) => <a href={workspacePath(organizationId, id)}>{name}</a>,
  },
  { head: 'External ID', cell: ({ externalId }) => externalId && <code class="long">{externalId}</code> },
  { head: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

interface CreateDialogProps {
  readonly org: string;
  readonly kind: WorkspaceKind;
  readonly onClose: () => void;
}

function CreateDialog({ org, kind, onClose }: CreateDialogProps) {
  const { fields, bind } = useFields({ name: '', externalId: '' });
  const act = async () => {
    const { name, externalId } = fields;
    const body = { name, kind, ...(externalId !== '' && { externalId }) };
    const created = await api.post('/organizations/{org}/workspaces', { params: { path: { org } }, body });
    toast(`${created.name} created.`);
  };
  const title = `Create ${kindLabels[kind]}`;
  return (
    <FormDialog title={title} submit={title} act={act} onClose={onClose}>
      <TextField label="Name" required maxLength={200} isFirst {...bind('name')} />
      {kind === 'customer' && <ExternalIdField {...bind('externalId')} />}
    </FormDialog>
  );
}

export function ExternalIdField(field: { readonly value: string; readonly onValue: (value: string) => void }) {
  return (
    <TextField
      label="External ID (optional)"
      hint="Your own ID for this customer, which your programs can search for. Must be unique in the organization."
      maxLength={200}
      spellcheck={false}
      {...field}
    />
  );
}
