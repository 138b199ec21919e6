const shapes = {
  check: 'M3 8.500 6.500 12 13 4.500',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  cross: 'M4 4l8 8M12 4l-8 8',
  down: 'M4 6l4 4 4-4',
  external: 'M9 3h4v4M13 3 7.500 8.500M11 9v4H3V5h4',
  menu: 'M2 4h12M2 8h12M2 12h12',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3',
  switch: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  warning: 'M8 2.500 14 13H2zM8 6.500v3M8 11.200v.1',
} as const;

export type IconName = keyof typeof shapes;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
