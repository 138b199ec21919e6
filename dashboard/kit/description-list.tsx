import type { ComponentChildren } from 'preact';

export function DescriptionList({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="description-list">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
