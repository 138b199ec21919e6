import type { AccountClient } from './account-client.ts';
import { success } from './answer-fields.ts';

/** Registers the number for messaging. Harmless to repeat with the same PIN, which becomes that of a number without one. */
export async function registerNumber(client: AccountClient, pin: string): Promise<void> {
  const json = { messaging_product: client.chatappWord, pin };
  await client.mark(success, { path: [client.resourceId, 'register'], json });
}
