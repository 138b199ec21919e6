import { PlatformUnavailable } from './errors.ts';
import { fileHosts } from './chatapp-word.ts';

/**
 * Throws PlatformUnavailable unless the account's token may be sent to this URL: on the API's own origin, or over HTTPS
 * on a platform host.
 */
export function platformAddress(text: string, apiUrl: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isOwn(url, apiUrl)) {
    throw new PlatformUnavailable('The platform returned a URL that is not on a platform host');
  }
  return url;
}

export function isPlatformAddress(text: string, apiUrl: string): boolean {
  return URL.canParse(text) && isOwn(new URL(text), apiUrl);
}

function isOwn(url: URL, apiUrl: string): boolean {
  return url.origin === new URL(apiUrl).origin || isKnownHost(url);
}

function isKnownHost({ protocol, hostname, username, port }: URL): boolean {
  if (protocol !== 'https:' || username !== '' || port !== '') return false;
  return fileHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
