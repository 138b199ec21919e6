import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { EXPORT_TAIL_BYTES, isExportComplete } from '../../../contract/erasures/person-export.ts';
import { useAction } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { pluralize } from '../../kit/format/format.ts';
import { ActionForm, TextField, useFields } from '../../kit/forms.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';

interface DialogProps {
  readonly org: string;
  readonly onClose: () => void;
}

/** Counts first. The same button then erases, as long as the input stays the same. */
export function EraseDialog({ org, onClose }: DialogProps) {
  const { fields, bind } = useFields({ target: '', reason: '' });
  const { target, reason } = fields;
  const [counted, setCounted] = useState<{ readonly target: string; readonly matched: number }>();
  const isCounted = counted?.target === target;
  const action = useAction(async () => {
    const body = { scope: scopeOf(target.trim()), reason, dryRun: !isCounted };
    const { matched } = await api.post('/organizations/{org}/erasures', { params: { path: { org } }, body });
    if (!isCounted) return setCounted({ target, matched });
    toast('The erasure has started.');
    onClose();
  });
  return (
    <Dialog title="Erase data" onClose={onClose}>
      <ActionForm
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
          {...bind('target')}
        />
        <ReasonField {...bind('reason')} />
        {isCounted && <p role="status">{pluralize(counted.matched, 'event')} will be erased. You can't undo this.</p>}
      </ActionForm>
    </Dialog>
  );
}

function ReasonField(field: { readonly value: string; readonly onValue: (value: string) => void }) {
  return (
    <TextField
      label="Reason"
      hint="The audit log keeps it, so do not name the person."
      required
      maxLength={500}
      {...field}
    />
  );
}

function scopeOf(target: string): Schema<'ErasureInput'>['scope'] {
  if (/^evt_[A-Za-z0-9]{8}$/.test(target)) return { event: target };
  return /^ws_[A-Za-z0-9]{8}$/.test(target) ? { workspace: target } : { sender: target };
}

export function ExportDialog({ org, onClose }: DialogProps) {
  const { fields, bind } = useFields({ sender: '', reason: '' });
  const { sender, reason } = fields;
  const action = useAction(async () => {
    saveFile(await readExport(org, { sender: sender.trim(), reason }), 'person.jsonl');
    toast('The export is complete.');
    onClose();
  });
  return (
    <Dialog title="Export data" onClose={onClose}>
      <ActionForm
        action={action}
        submit="Export"
        disabled={sender.trim() === '' || reason.trim() === ''}
        onCancel={action.isBusy ? undefined : onClose}
      >
        <TextField
          label="Sender"
          hint="As deliveries show it. The file contains everything that is stored about this person."
          required
          isFirst
          maxLength={200}
          spellcheck={false}
          {...bind('sender')}
        />
        <ReasonField {...bind('reason')} />
      </ActionForm>
    </Dialog>
  );
}

/** The browser keeps a large file on disk. */
async function readExport(org: string, body: Schema<'PersonExportInput'>): Promise<Blob> {
  const response = await api.fetch(`/organizations/${org}/person-exports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const file = await response.blob().catch(() => undefined);
  const tail = await file?.slice(-EXPORT_TAIL_BYTES).text();
  if (!file || !isExportComplete(tail ?? '')) throw new Error('The export ended too early. Try again.');
  return file;
}
