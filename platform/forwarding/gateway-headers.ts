/** Headers of the caller that the platform gets; all others end at the gateway, credentials and addresses first. */
export const forwardedRequestHeaders = ['accept', 'accept-language', 'content-type', 'user-agent'] as const;

/** Those that say which part of a file an upload or a download is about. */
export const fileRequestHeaders = ['range', 'offset', 'file_offset', 'file_size', 'file_url', 'file_type'] as const;

/** Headers of the platform that the caller gets: what the body is, what is left of limits, and the call's id there. */
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

/** By which the platform's support finds a call. */
export const platformRequestIdHeaders = ['x-fb-request-id', 'x-fb-trace-id'] as const;

/** The hosts whose addresses in answers lead back to the gateway, besides the one that is called. */
export const platformHosts = ['graph.facebook.com', 'graph.instagram.com', 'graph-video.facebook.com'] as const;

/** An answer's fields that hold addresses of files, by what the addresses are for. */
export const addressFields = { media: ['url'], uploads: ['upload_url', 'uri'] } as const;
