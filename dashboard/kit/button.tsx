import type { ComponentChildren, JSX } from 'preact';

export interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'className' | 'disabled'> {
  readonly tone?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly small?: boolean;
  /** While what it does is under way: it stays in place and keeps the focus, but does nothing. */
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
