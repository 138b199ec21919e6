import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { commandsIn } from './command-lines.ts';
import { shellBlocksIn } from './shell-blocks.ts';

function prose(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`\n]*`/g, '``');
}

/** Returns the targets of the page's links within the repository. */
export function linksIn(text: string): string[] {
  const targets = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns anchors as GitHub and GitLab generate them. */
export function headingAnchors(text: string): string[] {
  const withoutCode = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

export interface CurledRoute {
  readonly method: string;
  /** Shell variables and placeholder ids are `{}`. */
  readonly path: string;
}

/** Finds calls by `$BASE_URL` or by a variable that starts with it. */
export function curledRoutes(text: string): CurledRoute[] {
  const blocks = shellBlocksIn(text).map(({ code }) => code);
  const code = blocks.join('\n').replaceAll('\\\n', ' ');
  const variables = variablesBelowBase(code);
  return code.split('\n').flatMap((line) => callsIn(inline(line, variables)));
}

function variablesBelowBase(code: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of code.matchAll(/\b([a-z]\w*)="(\$\w[^"\s]*)"/g)) {
    const address = inline(value, found);
    if (address.startsWith('$BASE_URL')) found.set(name, address);
  }
  return found;
}

function inline(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$(\w+)/g, (whole, name: string) => variables.get(name) ?? whole);
}

/** Calls may be nested. */
function callsIn(line: string): CurledRoute[] {
  const calls = line
    .split(/\b(?=(?:curl|support|customer) )/)
    .filter((part) => /^(?:curl|support|customer) /.test(part));
  return calls.flatMap((call) => {
    const address = /\$BASE_URL(\/[^\s"']*)/.exec(call.replace(/"'|'"/g, ''))?.[1];
    if (address === undefined) return [];
    const method =
      /(?:-X|--request) (\w+)/.exec(call)?.[1] ??
      (/ (?:-d|--data|-F) /.test(call) && !/ -G /.test(call) ? 'POST' : 'GET');
    const path = (address.split('?')[0] ?? '').replace(/\$\w+|\$\{[^}]*\}|\b[a-z]+_…|\{\w+\}/g, '{}');
    return [{ method: method.toLowerCase(), path }];
  });
}

export function isRouteOf(route: RouteDefinition, { method, path }: CurledRoute): boolean {
  const pattern = route.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return route.method === method && new RegExp(`^${pattern}$`).test(path);
}

/** Returns the words behind `channels` of each command in the shell blocks of the text, without quotes. */
export function commandsOf(text: string): string[][] {
  return shellBlocksIn(text).flatMap(({ code }) => commandsIn(code));
}
