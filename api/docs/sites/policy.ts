interface PageSources {
  /** Optional. Default: no image of another site. */
  readonly logoUrl?: string | null;
  /** Optional. Default: no frame. */
  readonly frameAncestors?: readonly string[];
  /** Optional. Hashes of what a build wrote into the page. Default: nothing inline. */
  readonly inline?: { readonly scripts: readonly string[]; readonly styles: readonly string[] };
}

/** No inline code but what was there when the page was built, so that customer text can't run as a script. */
export function policyOf({ logoUrl = null, frameAncestors = [], inline }: PageSources = {}): string {
  const logo = logoUrl === null ? '' : ` ${new URL(logoUrl).origin}`;
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  const hashed = (hashes: readonly string[] = []): string => hashes.map((hash) => ` '${hash}'`).join('');
  // Without this word, hashes count for style elements only, not for attributes.
  const styles = inline ? ` 'unsafe-hashes'${hashed(inline.styles)}` : '';
  return (
    `default-src 'none'; script-src 'self'${hashed(inline?.scripts)}; style-src 'self'${styles}; ` +
    `img-src 'self' data:${logo}; font-src 'self'; connect-src 'self'; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`
  );
}
