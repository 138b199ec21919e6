/** All other request headers are dropped, in particular credentials and addresses. */
export const forwardedRequestHeaders = ['accept', 'accept-language', 'content-type', 'user-agent'] as const;

export const fileRequestHeaders = ['range', 'offset', 'file_offset', 'file_size', 'file_url', 'file_type'] as const;

export const forwardedResponseHeaders = [
  'content-type',
  'content-disposition',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'retry-after',
  'x-app-usage',
  'x-business-use-case-usage',
  'x-page-usage',
  'x-ad-account-usage',
  'x-fb-trace-id',
  'x-fb-request-id',
  'facebook-api-version',
] as const;

/** The platform's support asks for these ids. */
export const platformRequestIdHeaders = ['x-fb-request-id', 'x-fb-trace-id'] as const;

/** URLs on these hosts, like those on the called host, are rewritten to the gateway. */
export const platformHosts = ['graph.facebook.com', 'graph.instagram.com', 'graph-video.facebook.com'] as const;

export const addressFields = { media: ['url'], uploads: ['upload_url', 'uri'] } as const;
