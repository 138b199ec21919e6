/** The selected deliveries of a list, in the order in which they were selected. */
export interface SelectedRows {
  readonly ids: ReadonlySet<string>;
  /** Where a range that is selected with the shift key begins. */
  readonly anchor: string | null;
}

export const nothingSelected: SelectedRows = { ids: new Set(), anchor: null };

export function toggled({ ids }: SelectedRows, id: string): SelectedRows {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds all rows between the anchor and the row. */
export function extended(
  selected: SelectedRows,
  {
    id,
    indexOf,
    at,
  }: { id: string; indexOf: (id: string) => number | undefined; at: (index: number) => string | undefined },
): SelectedRows {
  const [from, to] = [selected.anchor === null ? undefined : indexOf(selected.anchor), indexOf(id)];
  if (from === undefined || to === undefined) return toggled(selected, id);
  const next = new Set(selected.ids);
  for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
    const one = at(index);
    if (one !== undefined) next.add(one);
  }
  return { ids: next, anchor: id };
}
