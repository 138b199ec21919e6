import { idPrefixes } from '../../../contract/ids.ts';

const OWN_ID = new RegExp(`^(?:${Object.values(idPrefixes).join('|')})[A-Za-z0-9]{8}$`);

/**
 * Returns the route's pattern with the ids of this service filled in. Tokens of links and ids of the platform, which encode
 * phone numbers, do not appear, nor do paths that match no route.
 */
export function loggedPath({ path, route }: { readonly path: string; readonly route: unknown }): string {
  if (typeof route !== 'string') return '{unknown}';
  const given = path.split('/');
  return route
    .split('/')
    .map((segment, place) => (segment.startsWith(':') ? filled(segment.slice(1), given[place]) : segment))
    .join('/');
}

function filled(name: string, value: string | undefined): string {
  return value !== undefined && OWN_ID.test(value) ? value : `{${name}}`;
}
