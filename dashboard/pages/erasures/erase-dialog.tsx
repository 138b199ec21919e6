import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { pluralize } from '../../kit/format/pluralize.ts';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';

interface EraseDialogProps {
  readonly org: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

/** Counts first. The same button then erases, as long as the input stays the same. */
export function EraseDialog({ org, onStarted, onClose }: EraseDialogProps) {
  const [target, setTarget] = useState('');
  const [reason, setReason] = useState('');
  const [counted, setCounted] = useState<{ readonly target: string; readonly matched: number }>();
  const isCounted = counted?.target === target;
  const action = useAction(async () => {
    const body = { scope: scopeOf(target.trim()), reason, dryRun: !isCounted };
    const { matched } = await api.post('/organizations/{org}/erasures', { params: { path: { org } }, body });
    if (!isCounted) return setCounted({ target, matched });
    toast('The erasure has started.');
    onStarted();
    onClose();
  });
  return (
    <Dialog title="Erase data" onClose={onClose}>
      <Form
        action={action}
        submit={isCounted ? 'Erase' : 'Count'}
        tone={isCounted ? 'danger' : 'primary'}
        disabled={target.trim() === '' || reason.trim() === ''}
        onCancel={onClose}
      >
        <TextField
          label="What to erase"
          hint="The sender as deliveries show it, an event ID (evt_…) or a workspace ID (ws_…)."
          required
          isFirst
          maxLength={200}
          spellcheck={false}
          value={target}
          onValue={setTarget}
        />
        <TextField
          label="Reason"
          hint="The audit log keeps it, so do not name the person."
          required
          maxLength={500}
          value={reason}
          onValue={setReason}
        />
        {isCounted && <p role="status">{pluralize(counted.matched, 'event')} will be erased. You can't undo this.</p>}
      </Form>
    </Dialog>
  );
}

function scopeOf(target: string): Schema<'ErasureInput'>['scope'] {
  if (/^evt_[A-Za-z0-9]{8}$/.test(target)) return { event: target };
  return /^ws_[A-Za-z0-9]{8}$/.test(target) ? { workspace: target } : { sender: target };
}
