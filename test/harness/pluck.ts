/** The values that rows have under a key. */
export const pluck = <Row, Key extends keyof Row>(rows: Iterable<Row>, key: Key): Row[Key][] =>
  Array.from(rows, (row) => row[key]);
