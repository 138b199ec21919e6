import type { SecretBox } from '../../db/core/secret-box.ts';
import { RouteNotFound, ScopeDenied } from '../../process/http-errors.ts';

export type AddressUse = 'media' | 'uploads';

export interface SealedAddresses {
  /** Returns a temporary gateway address for this channel only. */
  seal(use: AddressUse, channelId: string, url: string): string;
  open(use: AddressUse, channelId: string, sealed: string): string;
}

/** The lifetime of the platform's own addresses. */
const MEDIA_LIFETIME_MS = 5 * 60_000;
/** A multipart upload keeps using its address. */
const UPLOAD_LIFETIME_MS = 60 * 60_000;

interface SealedAddressNeeds {
  readonly secretBox: SecretBox;
  readonly gatewayUrl: string;
  readonly now?: () => number;
}

export function createSealedAddresses({ secretBox, gatewayUrl, now = Date.now }: SealedAddressNeeds): SealedAddresses {
  const contextOf = (use: AddressUse, channelId: string): string => `gateway.${use}/${channelId}`;
  return {
    seal(use, channelId, url) {
      const untilMs = now() + (use === 'media' ? MEDIA_LIFETIME_MS : UPLOAD_LIFETIME_MS);
      return `${gatewayUrl}/${use}/${secretBox.seal(`${untilMs} ${url}`, contextOf(use, channelId))}`;
    },
    open(use, channelId, sealed) {
      let text: string;
      try {
        text = secretBox.open(sealed, contextOf(use, channelId));
      } catch {
        throw new ScopeDenied('The gateway did not issue this address for this channel.');
      }
      const space = text.indexOf(' ');
      if (Number(text.slice(0, space)) <= now()) {
        throw new RouteNotFound('This address has expired. Request the object again to get a new one.');
      }
      return text.slice(space + 1);
    },
  };
}
