import { PlatformUnavailable } from './errors.ts';
import { fileHosts } from './product-words.ts';

/**
 * An address out of an answer that the account's token may go to: at the API's own host, or at one of the platform's by
 * https. Whatever else an answer names is not called.
 */
export function platformAddress(text: string, apiUrl: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isOwn(url, apiUrl)) {
    throw new PlatformUnavailable('The platform named an address that is none of its own');
  }
  return url;
}

/** Whether the account's token may go to an address out of an answer. */
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
