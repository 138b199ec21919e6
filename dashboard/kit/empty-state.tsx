import type { ComponentChildren } from 'preact';
import { CopyableLine } from './copyable.tsx';

interface EmptyStateProps {
  readonly title: string;
  /** What the thing is for, and what to do next. */
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  /** The same in a terminal. */
  readonly command?: string;
}

/** What stands where there is nothing yet. */
export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
      {command && (
        <div class="command">
          <p>{action ? 'Or in a terminal:' : 'In a terminal:'}</p>
          <CopyableLine text={command} what="the command" />
        </div>
      )}
    </div>
  );
}
