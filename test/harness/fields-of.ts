// eslint-disable-next-line @typescript-eslint/no-explicit-any -- like the fields of parsed JSON
type Fields = any[];

/** Returns the named field of each item, or a list of fields if several are named. */
export function fieldsOf<const Key extends string>(
  items: readonly Readonly<Partial<Record<Key, unknown>>>[],
  ...keys: readonly Key[]
): Fields {
  return items.map((item) => (keys.length === 1 ? item[keys[0]!] : keys.map((key) => item[key])));
}
