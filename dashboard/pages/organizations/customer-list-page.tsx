import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { WorkspaceList } from './workspace-list.tsx';

export function Page() {
  const { organizationId } = useOrganization();
  const search = query.value.get('search') ?? query.value.get('externalId') ?? undefined;
  return (
    <WorkspaceList
      kind="customer"
      title="Customers"
      about="Each customer has a separate workspace. An onboarding link can create one for each account that is connected."
      search={search}
      filters={<Filter key={search} search={search ?? ''} />}
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
  -H "Authorization: Bearer $CHANNELS_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Sunrise Bakery", "kind": "customer", "externalId": "your-id"}'`}
          >
            Create one here, or send a customer an onboarding link: connecting an account then creates the customer.
          </EmptyState>
        )
      }
    />
  );
}

function Filter({ search }: { readonly search: string }) {
  const [text, setText] = useState(search);
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ search: text, externalId: undefined });
      }}
    >
      <TextField label="Name or external ID" type="search" maxLength={200} value={text} onValue={setText} />
      <Button type="submit">Search</Button>
      {search !== '' && (
        <Button
          tone="quiet"
          onClick={() => {
            setText('');
            setQuery({ search: undefined, externalId: undefined });
          }}
        >
          Clear search
        </Button>
      )}
    </form>
  );
}
