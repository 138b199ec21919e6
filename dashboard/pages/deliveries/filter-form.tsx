import { useState } from 'preact/hooks';
import { deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { query, setQuery } from '../../routes/router.ts';
import type { Channel } from '../channels/use-channels.ts';
import { useDestinationOptions } from './use-destination-options.ts';
import { statusLabels } from './delivery-note.ts';

const names = ['channel', 'status', 'type', 'destination', 'sender', 'message', 'since', 'until'] as const;
type Name = (typeof names)[number];
const noFilters: Readonly<Record<Name, string>> = {
  ...{ channel: '', status: '', type: '', destination: '' },
  ...{ sender: '', message: '', since: '', until: '' },
};

export function FilterForm({ channels }: { readonly channels: readonly Channel[] }) {
  const params = query.value;
  const value = (name: Name): string => params.get(name) ?? '';
  const [isOpen, setOpen] = useState((['sender', 'message', 'since', 'until'] as const).some((name) => value(name)));
  return (
    <div class="filter-bar" role="search" aria-label="Deliveries">
      <SelectFilters channels={channels} />
      <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Fewer filters' : 'More filters'}
      </Button>
      {names.some((name) => params.get(name)) && (
        <Button tone="quiet" onClick={() => setQuery(noFilters)}>
          Clear filters
        </Button>
      )}
      {isOpen && <TextFilters key={names.map(value).join('\n')} />}
    </div>
  );
}

function SelectFilters({ channels }: { readonly channels: readonly Channel[] }) {
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
          ...withCurrent(
            value('channel'),
            channels.map(({ id, displayName }) => [id, displayName] as const),
          ),
        ]}
        onValue={(id) => setQuery({ channel: id, destination: '', type: '' })}
      />
      <SelectField
        label="Status"
        value={value('status')}
        options={withCurrent(value('status'), statusOptions)}
        onValue={set('status')}
      />
      <SelectField
        label="Event type"
        value={value('type')}
        options={withCurrent(value('type'), [['', 'All'], ...types.map((type) => [type, type] as const)])}
        onValue={set('type')}
      />
      {channelId !== '' && <DestinationFilter channelId={channelId} />}
    </>
  );
}

function DestinationFilter({ channelId }: { readonly channelId: string }) {
  const targets = useDestinationOptions(channelId);
  const value = query.value.get('destination') ?? '';
  return (
    <SelectField
      label="Destination"
      value={value}
      options={[['', 'All'], ...withCurrent(value, targets)]}
      onValue={(destination) => setQuery({ destination })}
    />
  );
}

function withCurrent(
  value: string,
  options: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  return value === '' || options.some(([one]) => one === value) ? options : [...options, [value, value]];
}

const statusOptions: readonly (readonly [string, string])[] = [
  ['', 'Any'],
  ['retrying,exhausted', 'failing: retrying or exhausted'],
  ...deliveryStatuses.map((status) => [status, statusLabels[status]] as const),
];

const typed = ['sender', 'message', 'since', 'until'] as const;

function TextFilters() {
  const params = query.value;
  const [texts, setTexts] = useState<Readonly<Record<(typeof typed)[number], string>>>({
    sender: params.get('sender') ?? '',
    message: params.get('message') ?? '',
    since: params.get('since') ?? '',
    until: params.get('until') ?? '',
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
        label="Platform message ID"
        type="search"
        maxLength={500}
        value={texts.message}
        onValue={set('message')}
      />
      <TextField label="Received since" type="datetime-local" value={texts.since} onValue={set('since')} />
      <TextField label="Received before" type="datetime-local" value={texts.until} onValue={set('until')} />
      <Button type="submit">Filter</Button>
    </form>
  );
}
