import { path } from '../routes/router.ts';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly label: string; readonly href: string }[];
}

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

/** A nested page marks its tab, except for the first tab, whose path is a prefix of all. */
function currentState(href: string, isFirst: boolean): 'page' | 'true' | undefined {
  if (path.value === href) return 'page';
  return !isFirst && path.value.startsWith(`${href}/`) ? 'true' : undefined;
}
