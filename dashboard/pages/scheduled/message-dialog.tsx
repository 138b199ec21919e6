import { useState } from 'preact/hooks';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { localTimeOf, parseLocalTime } from '../../kit/format/format.ts';
import { ActionForm, TextArea, TextField } from '../../kit/forms.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import type { ScheduledMessage } from './kinds.ts';

interface MessageDialogProps {
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

/** Null for a message in the platform's own format. */
function plainTextOf(message: ScheduledMessage | undefined): string | null {
  const text = message?.message?.['text'];
  return typeof text === 'string' ? text : null;
}

const fieldsOf = (message: ScheduledMessage | undefined): Fields => ({
  sendAt: message ? localTimeOf(message.sendAt) : '',
  to: message?.recipient ?? '',
  text: plainTextOf(message) ?? '',
});

/** A changed message keeps its content unless another text or recipient is entered. */
export function MessageDialog({ channelId: ch, message, onClose }: MessageDialogProps) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(message));
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
  const mayBeEmpty = message !== undefined && plainTextOf(message) === null;
  const isComplete = at !== null && (mayBeEmpty || hasContent(fields));
  return (
    <Dialog title={message ? 'Change scheduled message' : 'Schedule message'} onClose={onClose}>
      <ActionForm
        action={action}
        submit={message ? 'Save changes' : 'Schedule message'}
        disabled={!isComplete}
        onCancel={onClose}
      >
        <MessageFields
          fields={fields}
          keepsContent={message !== undefined && plainTextOf(message) === null}
          onChange={change}
        />
      </ActionForm>
    </Dialog>
  );
}

interface MessageFieldsProps {
  readonly fields: Fields;
  /** Whether an empty text keeps the content, which is in the platform's own format. */
  readonly keepsContent: boolean;
  readonly onChange: (changes: Partial<Fields>) => void;
}

function MessageFields({ fields, keepsContent, onChange }: MessageFieldsProps) {
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
        hint="As in the sender of an event: international phone number or platform user ID."
        value={fields.to}
        onValue={(to) => onChange({ to })}
      />
      <TextArea
        label={keepsContent ? 'New text' : 'Text'}
        hint={keepsContent ? "Leave empty to keep the content, which is in the platform's own format." : undefined}
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
  const before = fieldsOf(message);
  const isMoved = sendAt !== before.sendAt;
  const isEdited = to.trim() !== before.to || text !== before.text;
  const body = {
    ...(isMoved && at !== null && { sendAt: at }),
    ...(isEdited && hasContent(fields) && { message: { to: to.trim(), text } }),
  };
  const params = { path: { ch, sm: message.scheduledMessageId } };
  await api.patch('/channels/{ch}/scheduled-messages/{sm}', { params, body });
  toast('Message changed.');
}
