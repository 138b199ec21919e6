/** The names of edges have only these characters. Ids of the platform have digits, capitals or other characters. */
const EDGE = /^[a-z][a-z_]{0,63}$/;

/**
 * Returns the pattern of a path of the platform for logs and traces. Its ids do not appear: those of messages and people
 * encode phone numbers.
 */
export function pathPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment === '' || EDGE.test(segment) ? segment : '{id}'))
    .join('/');
}
