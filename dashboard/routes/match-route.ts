import { isId } from '../../contract/ids.ts';

export type RouteParams = Readonly<Record<string, string>>;

/** Organizations and workspaces are told apart from the names of pages by the form of their ids. */
const forms: Readonly<Record<string, (value: string) => boolean>> = {
  org: (value) => isId('organization', value),
  ws: (value) => isId('workspace', value),
};

/** What stands in a path where the pattern has a `:name`; undefined for a path of another form. */
export function matchPath(pattern: string, path: string): RouteParams | undefined {
  const expected = pattern.split('/');
  const given = path.replace(/(?<=.)\/$/, '').split('/');
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = decoded(given[index] ?? '');
    if (value === undefined) return undefined;
    if (!part.startsWith(':')) {
      if (part !== value) return undefined;
      continue;
    }
    const name = part.slice(1);
    const isOfForm = forms[name] ?? ((text: string) => text !== '');
    if (!isOfForm(value)) return undefined;
    params[name] = value;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
