/** SQLSTATE `unique_violation`. */
const UNIQUE_VIOLATION = '23505';

/** Returns whether the database refused a row because of this unique constraint or index. */
export function isDuplicateOf(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false;
  return error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
