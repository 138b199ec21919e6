import { Button } from '../../kit/button.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import type { ScheduledMessage } from './scheduled-message-status.ts';
import { useScheduledMessage } from './use-scheduled-message.ts';

interface ScheduledMessageDetailsProps {
  readonly channelId: string;
  readonly scheduledMessageId: string;
  readonly onClose: () => void;
}

export function ScheduledMessageDetails({ channelId: ch, scheduledMessageId, onClose }: ScheduledMessageDetailsProps) {
  const { value, error } = useScheduledMessage(ch, scheduledMessageId);
  return (
    <Dialog title={`Scheduled message ${scheduledMessageId}`} isWide onClose={onClose}>
      <ErrorBox error={error} />
      {!value && !error && <Loading />}
      {value && <Details message={value} />}
      <div class="form-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Details({ message: found }: { readonly message: ScheduledMessage }) {
  const { sendAt, status, statusDetail, recipient, message, platformMessageId, createdBy, createdAt, endedAt } = found;
  return (
    <>
      <DescriptionList
        items={[
          ['Send at', timeOf(sendAt)],
          ['Status', statusDetail === null ? status : `${status}: ${statusDetail}`],
          ['To', recipient ?? '–'],
          ['Platform message ID', platformMessageId ?? '–'],
          ['Scheduled by', <code>{createdBy}</code>],
          ['Scheduled', timeOf(createdAt)],
          ['Ended', timeOf(endedAt)],
        ]}
      />
      {message ? <JsonView text={JSON.stringify(message)} what="message" /> : <p>The content is erased.</p>}
    </>
  );
}

const timeOf = (instant: string | null): string => (instant === null ? '–' : formatExactTime(new Date(instant)));
