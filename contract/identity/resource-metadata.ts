/** Where a client reads how the API is protected, and how to get a key (RFC 9728); refusals of credentials name it. */
export function resourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource`;
}
