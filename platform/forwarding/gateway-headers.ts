/** Request headers passed on to the platform. All others are dropped, in particular credentials and addresses. */
export const forwardedRequestHeaders = ['accept', 'accept-language', 'content-type', 'user-agent'] as const;

/** Headers that describe the part of a file that an upload or a download is about. */
export const fileRequestHeaders = ['range', 'offset', 'file_offset', 'file_size', 'file_url', 'file_type'] as const;

/** Response headers passed on to the caller: the content, rate limits, and the platform's id of the call. */
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

/** The ids that the platform's support asks for. */
export const platformRequestIdHeaders = ['x-fb-request-id', 'x-fb-trace-id'] as const;

/** Platform hosts whose URLs in responses are rewritten to the gateway, besides the host that was called. */
export const platformHosts = ['graph.facebook.com', 'graph.instagram.com', 'graph-video.facebook.com'] as const;

/** Response fields with the URLs of files, by use. */
export const addressFields = { media: ['url'], uploads: ['upload_url', 'uri'] } as const;
