import type { Schema } from '../../../client/create-client.ts';
import { RelativeTime } from '../../kit/parts.tsx';
import { timelineEntries, type TimelineEntry } from './timeline.ts';

interface DeliveryTimelineProps {
  readonly delivery: Schema<'Delivery'>;
  /** The number of the attempt whose request and response are shown. */
  readonly chosen: number | undefined;
  readonly onChoose: (number: number) => void;
}

export function DeliveryTimeline({ delivery, chosen, onChoose }: DeliveryTimelineProps) {
  return (
    <ol class="timeline">
      {timelineEntries(delivery).map((entry, index) => (
        <li key={index} class={entry.isAhead ? `${entry.tone} ahead` : entry.tone}>
          <Entry entry={entry} isChosen={entry.attempt === chosen} onChoose={onChoose} />
        </li>
      ))}
    </ol>
  );
}

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly isChosen: boolean;
  readonly onChoose: (number: number) => void;
}

function Entry({ entry, isChosen, onChoose }: EntryProps) {
  const { text, detail, at, attempt } = entry;
  const words = (
    <>
      <span class="what">{text}</span>
      <span class="soft">
        {at !== null && <RelativeTime at={at} />}
        {at !== null && detail ? ', ' : ''}
        {detail}
      </span>
    </>
  );
  if (attempt === undefined) return <p>{words}</p>;
  return (
    <button type="button" aria-pressed={isChosen} onClick={() => onChoose(attempt)}>
      {words}
    </button>
  );
}
