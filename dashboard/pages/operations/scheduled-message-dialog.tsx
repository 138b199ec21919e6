import { useState } from 'preact/hooks';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { parseLocalTime } from '../audit/parse-local-time.ts';
import { localTimeOf, type ScheduledMessage } from './scheduled-message-status.ts';

interface ScheduledMessageDialogProps {
  readonly channelId: string;
  /** Optional. Omit to schedule a new message. */
  readonly message?: ScheduledMessage;
  readonly onClose: () => void;
}

interface Fields {
  readonly sendAt: string;
  readonly to: string;
  readonly text: string;
}

const hasContent = ({ to, text }: Fields): boolean => to.trim() !== '' && text !== '';

/** A changed message keeps its content unless a new text is entered. */
export function ScheduledMessageDialog({ channelId: ch, message, onClose }: ScheduledMessageDialogProps) {
  const [fields, setFields] = useState<Fields>({
    sendAt: message ? localTimeOf(message.sendAt) : '',
    to: message?.recipient ?? '',
    text: '',
  });
  const [key, setKey] = useState(idempotencyKey);
  const change = (changes: Partial<Fields>) => {
    setFields({ ...fields, ...changes });
    setKey(idempotencyKey()); // a changed request is not a retry
  };
  const action = useAction(async () => {
    await (message ? saveChange(ch, { message, fields }) : schedule(ch, { fields, key }));
    onClose();
  });
  const at = parseLocalTime(fields.sendAt);
  const isComplete = at !== null && (message !== undefined || hasContent(fields));
  return (
    <Dialog title={message ? 'Change scheduled message' : 'Schedule message'} onClose={onClose}>
      <Form
        action={action}
        submit={message ? 'Save changes' : 'Schedule message'}
        disabled={!isComplete}
        onCancel={onClose}
      >
        <MessageFields fields={fields} isNew={!message} onChange={change} />
      </Form>
    </Dialog>
  );
}

interface MessageFieldsProps {
  readonly fields: Fields;
  readonly isNew: boolean;
  readonly onChange: (changes: Partial<Fields>) => void;
}

function MessageFields({ fields, isNew, onChange }: MessageFieldsProps) {
  return (
    <>
      <TextField
        label="Send at"
        type="datetime-local"
        hint="In your time zone, at most 90 days ahead."
        required
        value={fields.sendAt}
        onValue={(sendAt) => onChange({ sendAt })}
      />
      <TextField
        label="To"
        hint="International phone number in digits, or the person's platform user ID."
        value={fields.to}
        onValue={(to) => onChange({ to })}
      />
      <TextArea
        label={isNew ? 'Text' : 'New text'}
        hint={isNew ? undefined : 'Leave empty to keep the content.'}
        value={fields.text}
        onValue={(text) => onChange({ text })}
      />
    </>
  );
}

async function schedule(ch: string, { fields, key }: { readonly fields: Fields; readonly key: string }): Promise<void> {
  const { sendAt, to, text } = fields;
  const params = { path: { ch }, header: { 'Idempotency-Key': key } };
  const body = { sendAt: parseLocalTime(sendAt) ?? '', message: { to: to.trim(), text } };
  await api.post('/channels/{ch}/scheduled-messages', { params, body });
  toast('Message scheduled.');
}

/** An unchanged time is not sent, because the field has no seconds. */
async function saveChange(
  ch: string,
  { message, fields }: { readonly message: ScheduledMessage; readonly fields: Fields },
): Promise<void> {
  const { sendAt, to, text } = fields;
  const at = parseLocalTime(sendAt);
  const isMoved = sendAt !== localTimeOf(message.sendAt);
  const body = {
    ...(isMoved && at !== null && { sendAt: at }),
    ...(hasContent(fields) && { message: { to: to.trim(), text } }),
  };
  const params = { path: { ch, sm: message.scheduledMessageId } };
  await api.patch('/channels/{ch}/scheduled-messages/{sm}', { params, body });
  toast('Message changed.');
}
