/**
 * Pages of the guides that other parts of the product name. The value is a page of `docs/` and, after `#`, one of its
 * headings; a test looks them up.
 */
const guideLinks = {
  home: '',
  errors: 'errors',
  events: 'events',
  gateway: 'gateway',
  gatewayEdges: 'gateway#edges',
  mcp: 'mcp',
  probes: 'receiving#pass-the-probes',
  receiving: 'receiving',
} as const;

export type GuideLink = keyof typeof guideLinks;
export const guideLinkNames = Object.keys(guideLinks) as readonly GuideLink[];

/** Returns the address of a guide of an installation. */
export function guideUrl(baseUrl: string, link: GuideLink): string {
  return `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/guides/${guideLinks[link]}`;
}

const guidesOfErrors: Readonly<Record<string, GuideLink>> = {
  PAGEAPP_SCOPE_DENIED: 'gatewayEdges',
  WEBHOOK_URL_VERIFICATION_FAILED: 'probes',
};

/** Returns the address of the guide that helps with an error code, or of the code's entry in the list of errors. */
export function errorGuideUrl(baseUrl: string, code: string): string {
  const link = Object.hasOwn(guidesOfErrors, code) ? guidesOfErrors[code] : undefined;
  return link ? guideUrl(baseUrl, link) : `${guideUrl(baseUrl, 'errors')}#${code.toLowerCase()}`;
}

/** Returns the header of an error answer that names the guide. */
export function helpLink(baseUrl: string, code: string): string {
  return `<${errorGuideUrl(baseUrl, code)}>; rel="help"`;
}

/** Addresses of an installation that the guides show. */
export interface GuideAddresses {
  readonly api: string;
  readonly gateway: string;
  /** Null if readers must not see it. */
  readonly temporal: string | null;
}
export type GuideAddressName = keyof GuideAddresses;

/** The built guides hold these in the place of addresses, which are only known when they are served. */
export const addressMarks: Readonly<Record<GuideAddressName, string>> = {
  api: 'https://guide-address-api.invalid',
  gateway: 'https://guide-address-gateway.invalid',
  temporal: 'https://guide-address-temporal.invalid',
};
export const addressMark = /https:\/\/guide-address-(api|gateway|temporal)\.invalid/g;

/** What the files in `docs/` write for an address, so that they can be read as they are. */
export const writtenAddresses: Readonly<Record<string, GuideAddressName>> = {
  'https://channels.example.com': 'api',
  'http://127.0.0.1:3000': 'api',
  'https://gateway.example.com': 'gateway',
  'http://127.0.0.1:3001': 'gateway',
  'http://127.0.0.1:8233': 'temporal',
};
