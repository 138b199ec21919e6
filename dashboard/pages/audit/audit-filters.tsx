import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { query, setQuery } from '../../routes/router.ts';

const names = ['action', 'actor', 'since', 'until'] as const;
type Filters = Readonly<Record<(typeof names)[number], string>>;
const none: Filters = { action: '', actor: '', since: '', until: '' };

/** What of the log is shown. It stands in the address, so that it can be passed on. */
export function AuditFilters() {
  const given = query.value;
  const [filters, setFilters] = useState<Filters>({
    action: given.get('action') ?? '',
    actor: given.get('actor') ?? '',
    since: given.get('since') ?? '',
    until: given.get('until') ?? '',
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
      {names.some((name) => given.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery(none)}>
          Show all
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
        label="Who, by id"
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
