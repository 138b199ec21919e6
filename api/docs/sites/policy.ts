interface PageSources {
  /** Optional. Default: no image of another site. */
  readonly logoUrl?: string | null;
  /** Optional. Default: no frame. */
  readonly frameAncestors?: readonly string[];
}

/** No inline code, so that customer text can't run as a script. */
export function policyOf({ logoUrl = null, frameAncestors = [] }: PageSources = {}): string {
  const logo = logoUrl === null ? '' : ` ${new URL(logoUrl).origin}`;
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:${logo}; connect-src 'self'; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`
  );
}
