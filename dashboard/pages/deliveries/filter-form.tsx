import { useState } from 'preact/hooks';
import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { query, setQuery } from '../../routes/router.ts';
import type { Channel } from '../channels/use-channels.ts';
import { useTargets } from './use-targets.ts';
import { statusWords } from './delivery-note.ts';

const names = ['channel', 'status', 'type', 'destination', 'sender', 'message', 'since', 'until'] as const;
type Name = (typeof names)[number];
const none: Readonly<Record<Name, string>> = {
  ...{ channel: '', status: '', type: '', destination: '' },
  ...{ sender: '', message: '', since: '', until: '' },
};

/** What is shown of the deliveries. It stands in the address, so that it can be passed on. */
export function FilterForm({ channels }: { readonly channels: readonly Channel[] }) {
  const given = query.value;
  const value = (name: Name): string => given.get(name) ?? '';
  const [isOpen, setOpen] = useState((['sender', 'message', 'since', 'until'] as const).some((name) => value(name)));
  return (
    <div class="filter-bar" role="search" aria-label="Deliveries">
      <ChosenFilters channels={channels} />
      <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Fewer filters' : 'More filters'}
      </Button>
      {names.some((name) => given.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery(none)}>
          Show all
        </Button>
      )}
      {isOpen && <TypedFilters key={names.map(value).join('\n')} />}
    </div>
  );
}

/** Filters that are chosen, and hold at once. */
function ChosenFilters({ channels }: { readonly channels: readonly Channel[] }) {
  const value = (name: Name): string => query.value.get(name) ?? '';
  const set = (name: Name) => (text: string) => setQuery({ [name]: text });
  const channelId = value('channel');
  const channel = channels.find(({ id }) => id === channelId);
  const types = eventTypes.filter((type) => !channel || fitsChannelType(type, channel.type));
  return (
    <>
      <SelectField
        label="Channel"
        value={value('channel')}
        options={[
          ['', 'All channels'],
          ...withGiven(
            value('channel'),
            channels.map(({ id, displayName }) => [id, displayName] as const),
          ),
        ]}
        onValue={(id) => setQuery({ channel: id, destination: '', type: '' })}
      />
      <SelectField
        label="Status"
        value={value('status')}
        options={withGiven(value('status'), statusOptions)}
        onValue={set('status')}
      />
      <SelectField
        label="Event type"
        value={value('type')}
        options={withGiven(value('type'), [['', 'All'], ...types.map((type) => [type, type] as const)])}
        onValue={set('type')}
      />
      {channelId !== '' && <DestinationFilter channelId={channelId} />}
    </>
  );
}

function DestinationFilter({ channelId }: { readonly channelId: string }) {
  const targets = useTargets(channelId);
  const value = query.value.get('destination') ?? '';
  return (
    <SelectField
      label="Destination"
      value={value}
      options={[['', 'All'], ...withGiven(value, targets)]}
      onValue={(destination) => setQuery({ destination })}
    />
  );
}

/** What is named in the address may not be among those that are offered. */
function withGiven(
  value: string,
  options: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return value === '' || options.some(([one]) => one === value) ? options : [...options, [value, value]];
}

/** Each state, and before them the two that somebody should look at. */
const statusOptions: readonly (readonly [string, string])[] = [
  ['', 'Any'],
  ['retrying,exhausted', 'in trouble: retrying or exhausted'],
  ...deliveryStatuses.map((status) => [status, statusWords[status]] as const),
];

const typed = ['sender', 'message', 'since', 'until'] as const;

/** Filters that are typed, and hold once they are sent. */
function TypedFilters() {
  const given = query.value;
  const [texts, setTexts] = useState<Readonly<Record<(typeof typed)[number], string>>>({
    sender: given.get('sender') ?? '',
    message: given.get('message') ?? '',
    since: given.get('since') ?? '',
    until: given.get('until') ?? '',
  });
  const set = (name: (typeof typed)[number]) => (text: string) => setTexts({ ...texts, [name]: text });
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery(texts);
      }}
    >
      <TextField
        label="Sender"
        type="search"
        maxLength={200}
        placeholder="15550001"
        value={texts.sender}
        onValue={set('sender')}
      />
      <TextField
        label="Platform's message id"
        type="search"
        maxLength={500}
        value={texts.message}
        onValue={set('message')}
      />
      <TextField label="Received from" type="datetime-local" value={texts.since} onValue={set('since')} />
      <TextField label="Received before" type="datetime-local" value={texts.until} onValue={set('until')} />
      <Button type="submit">Filter</Button>
    </form>
  );
}
