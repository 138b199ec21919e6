import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { query, setQuery } from '../../routes/router.ts';

const names = ['action', 'actor', 'since', 'until'] as const;
type Filters = Readonly<Record<(typeof names)[number], string>>;
const noFilters: Filters = { action: '', actor: '', since: '', until: '' };

/** Filters stay in the URL, so that users can share them. */
export function AuditFilters() {
  const params = query.value;
  const [filters, setFilters] = useState<Filters>({
    action: params.get('action') ?? '',
    actor: params.get('actor') ?? '',
    since: params.get('since') ?? '',
    until: params.get('until') ?? '',
  });
  return (
    <form
      class="filters"
      role="search"
      aria-label="Audit log"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery(filters);
      }}
    >
      <FilterFields filters={filters} onFilters={setFilters} />
      <Button type="submit">Filter</Button>
      {names.some((name) => params.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery(noFilters)}>
          Clear filters
        </Button>
      )}
    </form>
  );
}

interface FilterFieldsProps {
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
}

function FilterFields({ filters, onFilters }: FilterFieldsProps) {
  const change = (name: keyof Filters) => (value: string) => onFilters({ ...filters, [name]: value.trim() });
  return (
    <>
      <TextField
        label="Action"
        type="search"
        maxLength={100}
        placeholder="apiKey.created"
        value={filters.action}
        onValue={change('action')}
      />
      <TextField
        label="Actor ID"
        type="search"
        maxLength={200}
        placeholder="usr_…"
        value={filters.actor}
        onValue={change('actor')}
      />
      <TextField label="From" type="datetime-local" value={filters.since} onValue={change('since')} />
      <TextField label="Until" type="datetime-local" value={filters.until} onValue={change('until')} />
    </>
  );
}
