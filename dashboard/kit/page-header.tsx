import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { navigations } from '../routes/router.ts';

/** The end of each document title. */
export const siteName = signal('Messaging channels');

interface PageHeaderProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly windowTitle?: string;
}

/** Sets the document title and takes the focus after in-app navigation. */
export function PageHeader({ title, children, actions, windowTitle = title }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${windowTitle} · ${siteName.value}`;
  }, [windowTitle, siteName.value]);
  useEffect(() => {
    if (navigations.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header class="page-header">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
