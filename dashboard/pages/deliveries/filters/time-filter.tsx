import { useState } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { TextField } from '../../../kit/forms/field.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Popover } from '../../../kit/menus/popover.tsx';
import { setQuery } from '../../../routes/router.ts';
import { formatSpan } from './format-span.ts';

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

export function TimeFilter({ since, until }: TimeFilterProps) {
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
  const [from, setFrom] = useState(localTime(since));
  const [to, setTo] = useState(localTime(until));
  return (
    <form
      class="custom-range"
      onSubmit={(event) => {
        event.preventDefault();
        onRange({ since: instantOf(from), until: instantOf(to) });
      }}
    >
      <TextField label="Received since" type="datetime-local" value={from} onValue={setFrom} />
      <TextField label="Received before" type="datetime-local" value={to} onValue={setTo} />
      <Button type="submit">Apply</Button>
    </form>
  );
}

function localTime(instant: string | undefined): string {
  if (instant === undefined) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const instantOf = (text: string): string => (text === '' ? '' : new Date(text).toISOString());
