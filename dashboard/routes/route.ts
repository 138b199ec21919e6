import type { ComponentType } from 'preact';
import type { RouteParams } from './match-route.ts';

/** The names behind colons in a path. */
type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a page gets: what stands in its address where the path of its route has names. */
export interface PageProps<Path extends string> {
  readonly params: Readonly<Record<ParamName<Path>, string>>;
}

export interface Route {
  readonly path: string;
  readonly load: () => Promise<{ readonly Page: ComponentType<{ readonly params: RouteParams }> }>;
  /** Said above the form to whoever has to sign in first. */
  readonly signInNotice: string | null;
}

/**
 * A page of the dashboard. Everybody has to be signed in; with `:org` in its path they must belong to it, with `:ws`
 * they must reach that workspace as well, and the shell has loaded it when the page is shown.
 */
export function route<const Path extends `/app/${string}`>(
  path: Path,
  load: () => Promise<{ readonly Page: ComponentType<PageProps<Path>> }>,
  { signInNotice }: { readonly signInNotice?: string } = {},
): Route {
  return { path, load, signInNotice: signInNotice ?? null };
}
