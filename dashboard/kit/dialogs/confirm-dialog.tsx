import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { useAction } from '../calls/use-action.ts';

interface ConfirmDialogProps {
  readonly title: string;
  /** What will be, and what can't be undone. */
  readonly children: ComponentChildren;
  readonly submit: string;
  readonly tone?: 'primary' | 'danger';
  /** To be typed first, where a slip would be dear: the name of what is deleted. */
  readonly typed?: string;
  /** Does it; a throw is shown, anything else closes the dialog. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks once more. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, submit, tone = 'danger', typed, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const action = useAction(async () => {
    await onConfirm();
    onClose();
  });
  const isTyped = typed === undefined || text.trim() === typed.trim();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit} tone={tone} disabled={!isTyped} onCancel={onClose}>
        <div class="prose">{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type "${typed}" to confirm`}
            value={text}
            onValue={setText}
            autoComplete="off"
            spellcheck={false}
          />
        )}
      </Form>
    </Dialog>
  );
}
