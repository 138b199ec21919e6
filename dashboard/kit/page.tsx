import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../client/errors.ts';
import { navigations, path } from '../routes/router.ts';
import type { Loaded } from './calls.ts';
import { WhenLoaded } from './parts.tsx';

/** The end of each document title. */
export const siteName = signal('Messaging channels');

export interface PageHeaderProps {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly windowTitle?: string | undefined;
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

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found">
        This page does not exist, or it belongs to an organization or workspace that you can't access.
      </PageHeader>
      <p>
        <a href="/app">Go to your workspace</a>
      </p>
    </>
  );
}

interface WhenFoundProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** The thing that a page is about, or that it does not exist. The thing itself shows errors of later readings. */
export function WhenFound<Value>({ of, children }: WhenFoundProps<Value>) {
  if (of.error instanceof ApiError && of.error.statusCode === 404) return <NotFound />;
  return of.value === null ? <WhenLoaded of={of} /> : <>{children(of.value)}</>;
}

/** A page about one thing, which brings its own header. */
export function DetailPage<Value>({ title, of, children }: WhenFoundProps<Value> & { readonly title: string }) {
  const isMissing = of.error instanceof ApiError && of.error.statusCode === 404;
  return (
    <>
      {of.value === null && !isMissing && <PageHeader title={title} />}
      <WhenFound of={of}>{children}</WhenFound>
    </>
  );
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, href: string])[];
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(([words, href], index) => (
          <li key={href}>
            <a href={href} aria-current={currentState(href, index === 0)}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A nested page marks its link, except for the first one, whose path is a prefix of all. */
export function currentState(href: string, isFirst: boolean): 'page' | 'true' | undefined {
  if (path.value === href) return 'page';
  return !isFirst && path.value.startsWith(`${href}/`) ? 'true' : undefined;
}
