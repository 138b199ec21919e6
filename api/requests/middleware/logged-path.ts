const ONBOARDING_TOKEN = /^\/connect\/(?!(?:callback|choose|done|style\.css)$)[^/]+/;

/** Hides onboarding tokens, which grant access. */
export function loggedPath(path: string): string {
  return path.replace(ONBOARDING_TOKEN, '/connect/{token}');
}
