import { type DeliveryStatus, deliveryStatuses } from '../../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../../contract/event-types.ts';
import { Button } from '../../../kit/button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { query, setQuery } from '../../../routes/router.ts';
import type { Channel } from '../../channels/use-channels.ts';
import { type FilterName, filterNames, filtersOf } from './delivery-filters.ts';
import { type Choice } from '../../../kit/menus/choice-list.tsx';
import { MultiSelect } from '../../../kit/menus/multi-select.tsx';
import { SearchField } from './search-field.tsx';
import { TimeFilter } from './time-filter.tsx';
import { useDestinationOptions } from './use-destination-options.ts';

interface FilterBarProps {
  readonly channels: readonly Channel[];
}

const noFilters = Object.fromEntries(filterNames.map((name) => [name, '']));

const httpOptions: readonly Choice[] = [
  { value: '2xx', label: '2xx', hint: 'accepted' },
  { value: '3xx', label: '3xx', hint: 'redirect, which is not followed' },
  { value: '4xx', label: '4xx', hint: 'rejected' },
  { value: '5xx', label: '5xx', hint: 'the receiver failed' },
  { value: 'none', label: 'No response', hint: 'timeout, refused connection or address' },
];

const statusHints: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'waiting to be sent',
  retrying: 'failed, will be retried',
  delivered: 'accepted by the receiver',
  exhausted: 'all attempts failed',
  cancelled: 'ended before it was delivered',
  skipped: 'never sent',
};

const statusOptions = deliveryStatuses.map((status) => ({
  ...{ value: status, label: status, hint: statusHints[status] },
}));

/** All filters are in the address, so that a filtered list can be shared. */
export function FilterBar({ channels }: FilterBarProps) {
  const filters = filtersOf(query.value);
  const set = (name: FilterName) => (values: readonly string[]) => setQuery({ [name]: values.join(',') });
  const chosenChannels = filters.channels ?? [];
  const shown = channels.filter(({ id }) => chosenChannels.length === 0 || chosenChannels.includes(id));
  const types = eventTypes.filter((type) => shown.some((channel) => fitsChannelType(type, channel.type)));
  const only = shown.length === 1 ? shown[0]!.id : '';
  return (
    <div class="delivery-filters" role="search" aria-label="Deliveries">
      <SearchField />
      <div class="filter-row">
        <ValueFilter label="Status" options={statusOptions} chosen={filters.status ?? []} onChosen={set('status')} />
        <ValueFilter label="Response" options={httpOptions} chosen={filters.httpStatus ?? []} onChosen={set('http')} />
        <ValueFilter
          label="Event type"
          options={types.map((type) => ({ value: type, label: type }))}
          chosen={filters.eventType ?? []}
          onChosen={set('type')}
        />
        {channels.length > 1 && (
          <ValueFilter
            label="Channel"
            options={channels.map(({ id, displayName, type }) => ({ value: id, label: displayName, hint: type }))}
            chosen={chosenChannels}
            onChosen={(ids) => setQuery({ channel: ids.join(','), destination: '' })}
          />
        )}
        <DestinationFilter channelId={only} chosen={filters.destinations ?? []} onChosen={set('destination')} />
        <TimeFilter since={filters.since} until={filters.until} />
        <Chips />
      </div>
    </div>
  );
}

interface DestinationFilterProps {
  readonly channelId: string;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

/** Subscriptions and listeners belong to a channel. */
function DestinationFilter({ channelId, chosen, onChosen }: DestinationFilterProps) {
  const targets = useDestinationOptions(channelId).map(([value, label]) => ({ value, label }));
  const webhook = { value: 'webhook', label: 'Webhook', hint: 'choose one channel for its subscriptions' };
  return (
    <ValueFilter
      label="Destination"
      options={channelId === '' ? [webhook] : targets}
      chosen={chosen}
      onChosen={onChosen}
    />
  );
}

function Chips() {
  return (
    <>
      <Chip name="sender" label="Sender" />
      <Chip name="message" label="Message ID" />
      {filterNames.some((name) => query.value.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery(noFilters)}>
          Clear filters
        </Button>
      )}
    </>
  );
}

interface ValueFilterProps {
  readonly label: string;
  readonly options: readonly Choice[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
}

/** Also shows values of the address that are no longer among the options. */
function ValueFilter({ label, options, chosen, onChosen }: ValueFilterProps) {
  const others = chosen.filter((value) => !options.some((one) => one.value === value));
  const all = [...options, ...others.map((value) => ({ value, label: value }))];
  return <MultiSelect label={label} options={all} values={chosen} onValues={onChosen} />;
}

function Chip({ name, label }: { readonly name: FilterName; readonly label: string }) {
  const value = query.value.get(name);
  if (!value) return null;
  return (
    <button type="button" class="button active chip" onClick={() => setQuery({ [name]: '' })}>
      {label} <strong>{value}</strong> <Icon name="cross" />
      <span class="hidden">Remove filter</span>
    </button>
  );
}
