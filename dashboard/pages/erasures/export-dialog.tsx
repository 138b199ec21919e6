import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { EXPORT_TAIL_BYTES, isExportComplete } from '../../../contract/erasures/person-export.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';

interface ExportDialogProps {
  readonly org: string;
  readonly onClose: () => void;
}

export function ExportDialog({ org, onClose }: ExportDialogProps) {
  const [sender, setSender] = useState('');
  const [reason, setReason] = useState('');
  const action = useAction(async () => {
    saveFile(await readExport(org, { sender: sender.trim(), reason }), 'person.jsonl');
    toast('The export is complete.');
    onClose();
  });
  return (
    <Dialog title="Export data" onClose={onClose}>
      <Form
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
          value={sender}
          onValue={setSender}
        />
        <TextField
          label="Reason"
          hint="The audit log keeps it, so do not name the person."
          required
          maxLength={500}
          value={reason}
          onValue={setReason}
        />
      </Form>
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

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
