import type { ComponentChildren } from 'preact';
import { CopyableLine } from './copyable.tsx';

interface EmptyStateProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly command?: string;
}

export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
      {command && (
        <div class="command">
          <p>{action ? 'Or use the command line:' : 'Use the command line:'}</p>
          <CopyableLine text={command} what="command" />
        </div>
      )}
    </div>
  );
}
