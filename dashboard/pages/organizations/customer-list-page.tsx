import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { WorkspaceList } from './workspace-list.tsx';

export function Page() {
  const { organizationId } = useOrganization();
  const externalId = query.value.get('externalId') ?? undefined;
  return (
    <WorkspaceList
      kind="customer"
      title="Customers"
      about="Each customer has a separate workspace. An onboarding link can create one for each account that is connected."
      externalId={externalId}
      filters={<Filter externalId={externalId ?? ''} />}
      empty={(create) =>
        externalId ? (
          <EmptyState title="No customer has this external ID" action={create}>
            The match is exact and case-sensitive.
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

function Filter({ externalId }: { readonly externalId: string }) {
  const [text, setText] = useState(externalId);
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ externalId: text });
      }}
    >
      <TextField label="External ID" type="search" maxLength={200} value={text} onValue={setText} />
      <Button type="submit">Search</Button>
      {externalId !== '' && (
        <Button
          tone="quiet"
          onClick={() => {
            setText('');
            setQuery({ externalId: undefined });
          }}
        >
          Clear search
        </Button>
      )}
    </form>
  );
}
