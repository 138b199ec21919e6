import type { ComponentChildren } from 'preact';
import { CopyableLine } from './copyable.tsx';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly title: string;
  /** Optional. Default: an empty tray. */
  readonly icon?: IconName;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly command?: string;
}

export function EmptyState({ title, icon = 'inbox', children, action, command }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
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
