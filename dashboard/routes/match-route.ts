import { isId } from '../../contract/ids.ts';

export type RouteParams = Readonly<Record<string, string>>;

/** Distinguishes organization and workspace IDs from page names. */
const idChecks: Readonly<Record<string, (value: string) => boolean>> = {
  org: (value) => isId('organization', value),
  ws: (value) => isId('workspace', value),
};

/** Returns undefined if the path does not match. */
export function matchPath(pattern: string, path: string): RouteParams | undefined {
  const expected = pattern.split('/');
  const actual = path.replace(/(?<=.)\/$/, '').split('/');
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = decode(actual[index] ?? '');
    if (value === undefined) return undefined;
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    const name = part.slice(1);
    const isValid = idChecks[name] ?? ((text: string) => text !== '');
    if (!isValid(value)) return undefined;
    params[name] = value;
  }
  return params;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
