type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Only the fields that have a value: what nobody said is not sent. */
export function given<const Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
