import type { ComponentChildren, JSX } from 'preact';

/** A page has one primary button. The button of an empty list repeats it. */
export type CreateTone = 'primary' | 'plain';

export interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'className' | 'disabled'> {
  readonly tone?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly small?: boolean;
  /** Ignores clicks while its action runs, but keeps the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly children?: ComponentChildren;
}

export function Button({ tone = 'plain', small, busy, disabled, children, onClick, ...others }: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      class={`button ${tone}${small ? ' small' : ''}${busy ? ' busy' : ''}`}
      disabled={disabled}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}
