/**
 * Headers of answers that no page is made of: whoever opens one in a browser gets nothing that runs, loads or is framed.
 * One constant object, because the gateway sends it with every answer. Pages and documents of the API have their own, and
 * the acknowledgement of an event carries only `nosniff`.
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;
