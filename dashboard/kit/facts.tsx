import type { ComponentChildren } from 'preact';

/** Names and values of one thing, side by side. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A part of a page with a heading of its own. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
