import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { navigations } from '../routes/router.ts';

interface PageHeaderProps {
  readonly title: string;
  /** One sentence about what the page is for. */
  readonly children?: ComponentChildren;
  /** Buttons that concern the whole page. */
  readonly actions?: ComponentChildren;
  /** The page's title in the browser, where the heading alone would not tell. */
  readonly windowTitle?: string;
}

/** The heading of a page: names it in the browser, and takes the focus when one comes from another page. */
export function PageHeader({ title, children, actions, windowTitle = title }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${windowTitle} · Messaging channels`;
  }, [windowTitle]);
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
