import { z } from 'zod';
import type { PlatformClient } from '../client/client.ts';
import { everyItem } from '../client/every-item.ts';
import { isRegistered } from '../client/number-registration.ts';
import { accountsOfBusinesses, inParallel } from './businesses.ts';
import { type Grants, idText, isUnrestricted, targetsOf, unlessRefused } from './grants.ts';
import type { AccountsRequest, PlatformAccount } from './platform-account.ts';

const basicFields = 'id,display_phone_number,verified_name';
const fields = `${basicFields},status,platform_type,is_on_biz_app`;
const word = z.string().nullish().catch(null);
const phoneNumber = z.object({
  id: idText,
  display_phone_number: word,
  verified_name: word,
  status: word,
  platform_type: word,
  is_on_biz_app: z.boolean().nullish().catch(null),
});

export interface FoundNumbers {
  readonly accounts: readonly PlatformAccount[];
  /** Business accounts that were granted. */
  readonly businessCount: number;
}

/** A list of numbers proves that its id is a business account and that the customer granted it. */
export async function findNumbers(
  client: PlatformClient,
  request: AccountsRequest,
  grants: Grants,
): Promise<FoundNumbers> {
  const { token, signal, onCall } = request;
  const targets = targetsOf(grants, 'chatapp');
  const read = (id: string) => numbersOf(client, request, id);
  const lists = await inParallel(targets, read);
  if (isUnrestricted(grants, 'chatapp') || lists.every((list) => !list?.length)) {
    const item = z.object({ id: idText });
    const walk = { grants, type: 'chatapp', item, query: { fields: 'id' }, token, signal, onCall } as const;
    const walked = (await accountsOfBusinesses(client, walk)).map(({ id }) => id);
    const others = [...new Set(walked)].filter((id) => !targets.includes(id));
    lists.push(...(await inParallel(others, read)));
  }
  const granted = lists.flatMap((list) => (list ? [list] : []));
  return { accounts: granted.flat(), businessCount: granted.length };
}

/** Returns undefined if the id is no business account, or none that was granted. */
async function numbersOf(
  client: PlatformClient,
  { token, expiresAtMs, signal, onCall }: AccountsRequest,
  subscriptionId: string,
): Promise<PlatformAccount[] | undefined> {
  const call = { path: `${subscriptionId}/phone_numbers`, token, signal, onCall, item: phoneNumber };
  const list = (names: string) => unlessRefused(everyItem(client, { ...call, query: { fields: names } }));
  // Earlier versions of the API refuse an unknown field.
  const numbers = (await list(fields)) ?? (await list(basicFields));
  return numbers?.map((number) => ({
    ...{ resourceId: number.id, token, expiresAtMs, subscriptionId, linkedResourceId: null },
    name: [number.verified_name, number.display_phone_number].filter(Boolean).join(' · '),
    isRegistered: isRegistered(number),
  }));
}
