import type { Schema } from '../../../client/create-client.ts';
import { pluralize } from '../../kit/format/format.ts';
import { Checkbox } from '../../kit/forms.tsx';
import { RelativeTime } from '../../kit/parts.tsx';

interface ScheduledByKeyProps {
  readonly list: Schema<'ScheduledByKey'>;
  readonly cancels: boolean;
  readonly onCancels: (cancels: boolean) => void;
}

/** Offers to cancel what a key has scheduled. */
export function ScheduledByKey({ list, cancels, onCancels }: ScheduledByKeyProps) {
  const { scheduled, messageCount, postCount } = list;
  if (scheduled.length === 0) return null;
  return (
    <>
      <div class="prose">
        <p>
          Scheduled: {pluralize(messageCount, 'message')}, {pluralize(postCount, 'post')}. They are sent and published
          unless you cancel them.
        </p>
        <ul>
          {scheduled.slice(0, MAX_SHOWN).map(({ kind, id, channelId, dueAt }) => (
            <li key={id}>
              {kind === 'message' ? 'Message' : 'Post'} <code>{id}</code> of <code>{channelId}</code>,{' '}
              <RelativeTime at={dueAt} />
            </li>
          ))}
        </ul>
      </div>
      <Checkbox label="Cancel them" value={cancels} onValue={onCancels} />
    </>
  );
}

const MAX_SHOWN = 10;
