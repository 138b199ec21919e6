import type { ComponentType } from 'preact';
import { matchPath, type RouteParams } from './match-route.ts';

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export interface PageProps<Path extends string> {
  readonly params: Readonly<Record<ParamName<Path>, string>>;
}

export interface Route {
  readonly path: string;
  readonly load: () => Promise<{ readonly Page: ComponentType<{ readonly params: RouteParams }> }>;
  readonly signInNotice: string | null;
}

/**
 * All pages require a session. `:org` in the path requires membership; `:ws` requires access to the workspace, which is
 * loaded before the page is shown.
 */
export function route<const Path extends `/app/${string}`>(
  path: Path,
  load: () => Promise<{ readonly Page: ComponentType<PageProps<Path>> }>,
  { signInNotice }: { readonly signInNotice?: string } = {},
): Route {
  return { path, load, signInNotice: signInNotice ?? null };
}

export interface FoundRoute {
  readonly route: Route;
  readonly params: RouteParams;
}

export function findRoute(routes: readonly Route[], path: string): FoundRoute | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}
