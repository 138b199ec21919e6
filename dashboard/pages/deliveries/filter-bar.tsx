import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { useShortcut } from '../../kit/commands/shortcuts.ts';
import { localTimeOf, parseLocalTime } from '../../kit/format/format.ts';
import { TextField } from '../../kit/forms.tsx';
import { Icon } from '../../kit/icon.tsx';
import { ClearFilters } from '../../kit/lists.tsx';
import type { Choice } from '../../kit/menus/find-choices.ts';
import { MultiSelect } from '../../kit/menus/multi-select.tsx';
import { Popover } from '../../kit/menus/popover.tsx';
import { Button } from '../../kit/parts.tsx';
import { query, setQuery } from '../../routes/router.ts';
import type { Channel } from '../channels/use-channels.ts';
import { useDestinationOptions } from '../destinations/use-destinations.ts';
import { type FilterName, filterNames, filtersOf, formatSpan } from './delivery-filters.ts';

interface FilterBarProps {
  readonly channels: readonly Channel[];
}

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
  skipped: 'no enabled destination',
};

const statusOptions = deliveryStatuses.map((status) => ({
  value: status,
  label: status,
  hint: statusHints[status],
}));

/** All filters are in the address, so that a filtered list can be shared. A phone shows them on request. */
export function FilterBar({ channels }: FilterBarProps) {
  const filters = filtersOf(query.value);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const activeCount = filterNames.filter((name) => name !== 'q' && query.value.get(name)).length;
  const set = (name: FilterName) => (values: readonly string[]) => setQuery({ [name]: values.join(',') });
  const chosenChannels = filters.channels ?? [];
  const shown = channels.filter(({ id }) => chosenChannels.length === 0 || chosenChannels.includes(id));
  const types = eventTypes.filter((type) => shown.some((channel) => fitsChannelType(type, channel.type)));
  const only = shown.length === 1 ? shown[0]!.id : '';
  return (
    <div class="delivery-filters" role="search" aria-label="Deliveries">
      <SearchField />
      <button
        type="button"
        class={`button filter-fold${activeCount > 0 ? ' active' : ''}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" /> Filters{activeCount > 0 && `: ${activeCount}`} <Icon name="down" />
      </button>
      <div id={id} class={isOpen ? 'filter-row open' : 'filter-row'}>
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
      <ClearFilters names={filterNames} />
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

/** One field for all ids and texts. `/` focuses it. */
function SearchField() {
  const given = query.value.get('q') ?? '';
  const [text, setText] = useState(given);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(given), [given]);
  useShortcut({
    keys: '/',
    description: 'Search deliveries',
    run: () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <form
      class="delivery-search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ q: text.trim() });
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search deliveries"
        placeholder="Any ID, sender, message ID or text"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => text.trim() === '' && given !== '' && setQuery({ q: '' })}
      />
      <kbd aria-hidden="true">/</kbd>
      <button type="submit" class="button">
        Search
      </button>
    </form>
  );
}

interface TimeFilterProps {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

const HOUR_MS = 3_600_000;
const spans = [
  ['Last hour', HOUR_MS],
  ['Last 24 hours', 24 * HOUR_MS],
  ['Last 7 days', 7 * 24 * HOUR_MS],
  ['Last 30 days', 30 * 24 * HOUR_MS],
] as const;

function TimeFilter({ since, until }: TimeFilterProps) {
  const isChosen = since !== undefined || until !== undefined;
  const words = isChosen ? `: ${formatSpan({ since, until }, new Date())}` : '';
  return (
    <Popover
      label="Time"
      isActive={isChosen}
      trigger={
        <>
          Time{words} <Icon name="down" />
        </>
      }
    >
      {(close) => <Times since={since} until={until} onClose={close} />}
    </Popover>
  );
}

function Times({ since, until, onClose }: TimeFilterProps & { readonly onClose: () => void }) {
  const choose = (range: { since: string; until: string }): void => {
    onClose();
    setQuery(range);
  };
  return (
    <div class="time-choices">
      {spans.map(([label, spanMs]) => (
        <Button
          key={label}
          tone="quiet"
          onClick={() => choose({ since: new Date(Date.now() - spanMs).toISOString(), until: '' })}
        >
          {label}
        </Button>
      ))}
      <Button tone="quiet" onClick={() => choose({ since: '', until: '' })}>
        All time
      </Button>
      <CustomRange since={since} until={until} onRange={choose} />
    </div>
  );
}

interface CustomRangeProps extends TimeFilterProps {
  readonly onRange: (range: { since: string; until: string }) => void;
}

function CustomRange({ since, until, onRange }: CustomRangeProps) {
  const [from, setFrom] = useState(since ? localTimeOf(since) : '');
  const [to, setTo] = useState(until ? localTimeOf(until) : '');
  return (
    <form
      class="custom-range"
      onSubmit={(event) => {
        event.preventDefault();
        onRange({ since: parseLocalTime(from) ?? '', until: parseLocalTime(to) ?? '' });
      }}
    >
      <TextField label="Received since" type="datetime-local" value={from} onValue={setFrom} />
      <TextField label="Received before" type="datetime-local" value={to} onValue={setTo} />
      <Button type="submit">Apply</Button>
    </form>
  );
}
