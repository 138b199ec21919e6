/** Returns the URL of the protected resource metadata (RFC 9728), which AUTH_REQUIRED responses name. */
export function resourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource`;
}
