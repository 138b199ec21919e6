import { classifyAddress, isAllowed, type Cidr } from './classify-address.ts';

/** contract/ is compiled without the types of Node and browsers. */
declare const URL: {
  parse(url: string): ParsedUrl | null;
};
interface ParsedUrl {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
}

export interface UrlRules {
  readonly allowHttp: boolean;
  readonly allow: readonly Cidr[];
}
export type UrlCheck = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export const MAX_URL_LENGTH = 2048;
/** RFC 1035: longer names cannot be looked up. */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Their protocols can misinterpret an HTTP request. */
const REFUSED_PORTS = new Set(
  [0, 7, 9, 19, 21, 22, 23, 25, 53, 110, 111, 119, 135, 137, 138, 139, 143, 161, 389, 445, 465, 514, 515, 587]
    .concat([636, 873, 993, 995, 1433, 1521, 2049, 2375, 3306, 3389, 5432, 5900, 6000, 6379, 6667, 9042, 11211, 27017])
    .map(String),
);

/** Metadata services return credentials of cloud machines. */
const METADATA_HOSTS = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Returns a URL as parsers read it. Leaves other text, which is refused elsewhere. */
export function parsedForm(url: string): string {
  return URL.parse(url)?.href ?? url;
}

/** Checks the form only. Addresses are checked on every connection. */
export function checkUrl(url: string, rules: UrlRules): UrlCheck {
  const reason = refusal(url, rules);
  return reason === undefined ? { ok: true } : { ok: false, reason };
}

function refusal(url: string, { allowHttp, allow }: UrlRules): string | undefined {
  if (url.length > MAX_URL_LENGTH) return `The URL is longer than ${MAX_URL_LENGTH} characters`;
  // The parser would rewrite these, and the stored URL would differ from the called one.
  if (/[\s\\\p{Cc}]/u.test(url)) return 'The URL contains white space, control characters or backslashes';
  const parsed = URL.parse(url);
  if (parsed === null) return 'The URL is not an absolute URL';
  if (parsed.protocol !== 'https:' && !(allowHttp && parsed.protocol === 'http:')) return 'The URL is not https';
  if (parsed.username !== '' || parsed.password !== '') return 'The URL contains a user name or password';
  if (REFUSED_PORTS.has(parsed.port)) return 'The port belongs to another protocol than HTTP';
  return hostRefusal(parsed.hostname, allow);
}

function hostRefusal(hostname: string, allow: readonly Cidr[]): string | undefined {
  const ip = ipLiteral(hostname);
  if (ip !== undefined) {
    return classifyAddress(ip) === 'public' || isAllowed(ip, allow) ? undefined : `The address ${ip} is not public`;
  }
  const name = hostname.replace(/(?<!\.)\.+$/, '');
  return formRefusal(name) ?? reservedRefusal(name, allow);
}

function formRefusal(name: string): string | undefined {
  if (name === '') return 'The URL has no host';
  if (!isPlainHost(name)) return 'The host name contains characters other than letters, digits, dots and hyphens';
  if (name.length > MAX_NAME_LENGTH) return `The host name is longer than ${MAX_NAME_LENGTH} characters`;
  if (name.split('.').some((label) => label === '' || label.length > MAX_LABEL_LENGTH)) {
    return `The host name has a part that is empty or longer than ${MAX_LABEL_LENGTH} characters`;
  }
  return undefined;
}

function reservedRefusal(name: string, allow: readonly Cidr[]): string | undefined {
  if (METADATA_HOSTS.has(name)) return `The host name ${name} is reserved`;
  if (isUnder(name, 'localhost') || name === 'localhost.localdomain') {
    return isAllowed('127.0.0.1', allow) || isAllowed('::1', allow) ? undefined : `The host name ${name} is local`;
  }
  // Networks with allowed private addresses use such names.
  if (allow.length === 0 && (isUnder(name, 'internal') || isUnder(name, 'local')))
    return `The host name ${name} is local`;
  return undefined;
}

/**
 * Takes a host name as the parser writes it. The parser also accepts names such as `a;b`, which would add a directive to
 * a content security policy. Names of containers have underscores.
 */
export function isPlainHost(hostname: string): boolean {
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname);
}

function isUnder(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

export function ipLiteral(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}
