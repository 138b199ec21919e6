import type { DestinationCredentials } from '../../contract/destinations/options.ts';
import { sealedContexts } from '../../db/core/sealed-columns.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';

/** Returns the headers that a destination wants with each delivery. */
export type OpenCredentials = (sealed: string, channelId: string) => Readonly<Record<string, string>>;

/** Decryption would cost more than the signature. */
const MAX_OPEN = 5_000;

export function createOpenCredentials(secretBox: SecretBox): OpenCredentials {
  const open = new Map<string, Readonly<Record<string, string>>>();
  return (sealed, channelId) => {
    const known = open.get(sealed);
    if (known) return known;
    const text = secretBox.open(sealed, sealedContexts.destinationCredentials(channelId));
    const { headers, authorization } = JSON.parse(text) as DestinationCredentials;
    const sent = authorization === null ? headers : { ...headers, authorization };
    if (open.size >= MAX_OPEN) open.delete(open.keys().next().value!);
    open.set(sealed, sent);
    return sent;
  };
}
