/** SQLSTATE `unique_violation`. */
const UNIQUE_VIOLATION = '23505';

export function isDuplicateOf(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false;
  return error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}
