import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { TextField } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { useAction } from '../calls/use-action.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly submit: string;
  readonly dismiss?: string | undefined;
  readonly tone?: 'primary' | 'danger';
  /** Optional. Text that the user must type to enable the button. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, submit, dismiss, tone = 'danger', typed, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const action = useAction(async () => {
    await onConfirm();
    onClose();
  });
  const isTyped = typed === undefined || text.trim() === typed.trim();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} submit={submit} cancel={dismiss} tone={tone} disabled={!isTyped} onCancel={onClose}>
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
