import { alertKindNames, alertKinds, alertSeverities, alertStatuses } from '../../../contract/alerts/kinds.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { query, setQuery } from '../../routes/router.ts';

const names = ['status', 'severity', 'kind'] as const;

/** Without a status, the list has open alerts only. */
export function AlertFilters() {
  const value = (name: (typeof names)[number]): string => query.value.get(name) ?? '';
  const set = (name: (typeof names)[number]) => (text: string) => setQuery({ [name]: text });
  return (
    <div class="filter-bar" role="search" aria-label="Alerts">
      <SelectField
        label="Status"
        value={value('status')}
        options={[
          ['', 'Open'],
          ['resolved', 'Resolved'],
          ['all', 'All'],
        ]}
        onValue={set('status')}
      />
      <SelectField
        label="Severity"
        value={value('severity')}
        options={[['', 'All'], ...alertSeverities.map((one) => [one, one] as const)]}
        onValue={set('severity')}
      />
      <SelectField
        label="Kind"
        value={value('kind')}
        options={[['', 'All'], ...alertKindNames.map((one) => [one, alertKinds[one].title] as const)]}
        onValue={set('kind')}
      />
      {names.some((name) => query.value.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery({ status: '', severity: '', kind: '' })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** Ignores unknown values, which come from an edited address. */
export function filtersOf(params: URLSearchParams) {
  const asked = params.get('status');
  const status = asked === 'all' ? undefined : (alertStatuses.find((one) => one === asked) ?? 'open');
  const severity = alertSeverities.find((one) => one === params.get('severity'));
  const kind = alertKindNames.find((one) => one === params.get('kind'));
  return { ...(status && { status }), ...(severity && { severity }), ...(kind && { kind }) };
}
