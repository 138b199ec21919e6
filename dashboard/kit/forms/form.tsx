import type { ComponentChildren } from 'preact';
import { Button } from '../button.tsx';
import { ErrorBox } from '../error-box.tsx';
import type { Action } from '../calls/use-action.ts';

interface FormProps {
  /** What sending it does. */
  readonly action: Action<[]>;
  readonly submit: string;
  readonly tone?: 'primary' | 'danger';
  readonly disabled?: boolean;
  readonly onCancel?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** Fields with the button that sends them; a refusal is shown above it, and nothing that was typed is lost. */
export function Form({ action, submit, tone = 'primary', disabled = false, onCancel, children }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) void action.run();
      }}
    >
      {children}
      <ErrorBox error={action.error} />
      <div class="form-actions">
        <Button type="submit" tone={tone} busy={action.isBusy} disabled={disabled}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
