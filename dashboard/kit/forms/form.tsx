import type { ComponentChildren } from 'preact';
import { Button } from '../button.tsx';
import { ErrorBox } from '../error-box.tsx';
import type { Action } from '../calls/use-action.ts';

interface FormProps {
  readonly action: Action<[]>;
  readonly submit: string;
  /** Optional. Default: primary. `plain` on pages of several forms. */
  readonly tone?: 'primary' | 'plain' | 'danger';
  readonly disabled?: boolean;
  readonly onCancel?: (() => void) | undefined;
  readonly cancel?: string | undefined;
  readonly children?: ComponentChildren;
}

export function Form(props: FormProps) {
  const { action, submit, cancel = 'Cancel', tone = 'primary', disabled = false, onCancel, children } = props;
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
        {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
      </div>
    </form>
  );
}
