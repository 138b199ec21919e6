import type { Schema } from '../../../client/create-client.ts';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { pluralize } from '../../kit/format/pluralize.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';

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
      <Checkbox label="Cancel them" isChecked={cancels} onChecked={onCancels} />
    </>
  );
}

const MAX_SHOWN = 10;
