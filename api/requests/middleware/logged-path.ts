const ONBOARDING_TOKEN = /^\/connect\/(?!(?:callback|choose|done|style\.css)$)[^/]+/;

/** The path as logs may show it: an onboarding link's is as good as the link itself. */
export function loggedPath(path: string): string {
  return path.replace(ONBOARDING_TOKEN, '/connect/{token}');
}
