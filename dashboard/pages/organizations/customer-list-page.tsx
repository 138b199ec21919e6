import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { WorkspaceList } from './workspace-list.tsx';

/** The organization's customers, each a workspace of its own. */
export function Page() {
  const { organizationId } = useOrganization();
  const externalId = query.value.get('externalId') ?? undefined;
  return (
    <WorkspaceList
      kind="customer"
      title="Customers"
      about="Each customer has a workspace of their own. An onboarding link makes one for whoever connects an account."
      externalId={externalId}
      filters={<Filter externalId={externalId ?? ''} />}
      empty={(create) =>
        externalId ? (
          <EmptyState title="No customer has this external id" action={create}>
            It is compared as a whole, in upper and lower case.
          </EmptyState>
        ) : (
          <EmptyState
            title="No customer yet"
            action={create}
            command={`curl ${location.origin}/organizations/${organizationId}/workspaces \\
  -H "Authorization: Bearer $CHANNELS_API_KEY" -H "Content-Type: application/json" \\
  -d '{"name": "Sunrise Bakery", "kind": "customer", "externalId": "your-id"}'`}
          >
            Create one here, or give a customer an onboarding link: connecting an account then makes the customer, too.
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
      <TextField label="External id" type="search" maxLength={200} value={text} onValue={setText} />
      <Button type="submit">Find</Button>
      {externalId !== '' && (
        <Button
          tone="quiet"
          onClick={() => {
            setText('');
            setQuery({ externalId: undefined });
          }}
        >
          Show all
        </Button>
      )}
    </form>
  );
}
