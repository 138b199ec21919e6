import { path } from '../routes/router.ts';

interface TabsProps {
  /** What the pages are about, for screen readers. */
  readonly label: string;
  readonly tabs: readonly { readonly label: string; readonly href: string }[];
}

/** Several pages about one thing. They are links: each can be opened by itself and passed on. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ label: words, href }, index) => (
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

/** A page below a tab's marks it, too; the first is above all others, and is marked only for itself. */
function currentState(href: string, isFirst: boolean): 'page' | 'true' | undefined {
  if (path.value === href) return 'page';
  return !isFirst && path.value.startsWith(`${href}/`) ? 'true' : undefined;
}
