import type { SecretBox } from '../../db/core/secret-box.ts';
import { Refusal, scopeDenied } from '../calls/refusal.ts';

/** What a sealed address may be used for. */
export type AddressUse = 'media' | 'uploads';

export interface SealedAddresses {
  /** An address of the gateway that stands for one of the platform's, for this channel and a few minutes. */
  seal(use: AddressUse, channelId: string, url: string): string;
  open(use: AddressUse, channelId: string, sealed: string): string;
}

/** As long as the platform's own addresses of files are good. */
const GOOD_MS = 5 * 60_000;
/** An upload of many parts takes longer than a download begins. */
const UPLOAD_GOOD_MS = 60 * 60_000;

interface SealedAddressNeeds {
  readonly secretBox: SecretBox;
  readonly gatewayUrl: string;
  readonly now?: () => number;
}

export function createSealedAddresses({ secretBox, gatewayUrl, now = Date.now }: SealedAddressNeeds): SealedAddresses {
  const contextOf = (use: AddressUse, channelId: string): string => `gateway.${use}/${channelId}`;
  return {
    seal(use, channelId, url) {
      const untilMs = now() + (use === 'media' ? GOOD_MS : UPLOAD_GOOD_MS);
      return `${gatewayUrl}/${use}/${secretBox.seal(`${untilMs} ${url}`, contextOf(use, channelId))}`;
    },
    open(use, channelId, sealed) {
      let text: string;
      try {
        text = secretBox.open(sealed, contextOf(use, channelId));
      } catch {
        throw scopeDenied('This address is not one that the gateway has given out for this channel.');
      }
      const space = text.indexOf(' ');
      if (Number(text.slice(0, space)) <= now()) {
        throw new Refusal(
          'ROUTE_NOT_FOUND',
          'This address is no longer good. Ask for the object again to get a new one.',
        );
      }
      return text.slice(space + 1);
    },
  };
}
