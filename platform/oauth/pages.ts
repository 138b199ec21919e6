import { z } from 'zod';
import type { PlatformClient } from '../client/client.ts';
import { everyItem } from '../client/every-item.ts';
import { linkedPhotoField } from '../client/oauth-vocabulary.ts';
import { accountsOfBusinesses, inParallel } from './businesses.ts';
import { type Grants, idText, isUnrestricted, targetsOf, unlessRefused } from './grants.ts';
import type { AccountsRequest, PlatformAccount } from './platform-account.ts';

const fields = `id,name,access_token,${linkedPhotoField}{id,username}`;
const text = z.string().nullish().catch(null);
const page = z.object({
  id: idText,
  name: text,
  // Missing if the customer's role on the Page is insufficient.
  access_token: text,
  [linkedPhotoField]: z.object({ id: idText, username: text }).nullish().catch(null),
});
type Page = z.output<typeof page>;

export interface FoundPages {
  readonly accounts: readonly PlatformAccount[];
  /** Whether the platform refused the list of the customer's Pages. */
  readonly isListRefused: boolean;
  /** Pages on which the customer's role gives no token. */
  readonly withoutRole: readonly string[];
  /** Pages without a photo account, where one is asked for. */
  readonly withoutPhoto: readonly string[];
}

/**
 * The list of the customer's Pages omits those of a business without its permission, and sometimes others that the
 * consent names. So the Pages that it lacks are read by id, and without targets, those of the businesses are listed.
 */
export async function findPages(client: PlatformClient, request: AccountsRequest, grants: Grants): Promise<FoundPages> {
  const { token, signal, onCall, type } = request;
  const call = { query: { fields }, token, signal, onCall };
  const listed = await unlessRefused(everyItem(client, { path: 'me/accounts', item: page, ...call }));
  const pages = new Map<string, Page>();
  const add = (found: readonly (Page | undefined)[]): void => {
    for (const each of found) if (each && !pages.get(each.id)?.access_token) pages.set(each.id, each);
  };
  add(listed ?? []);
  const known = new Set([...pages.values()].flatMap((each) => [each.id, each[linkedPhotoField]?.id]));
  const unknown = targetsOf(grants, type).filter((id) => !known.has(id));
  add(await inParallel(unknown, (path) => unlessRefused(client.read(page, { path, ...call }))));
  if (isUnrestricted(grants, type) || ![...pages.values()].some((each) => accountOf(each, type))) {
    add(await accountsOfBusinesses(client, { grants, type, item: page, ...call }));
  }
  return { ...sorted([...pages.values()], request), isListRefused: listed === undefined };
}

function sorted(pages: readonly Page[], { type }: AccountsRequest): Omit<FoundPages, 'isListRefused'> {
  const accounts = pages.flatMap((each) => accountOf(each, type) ?? []);
  const nameOf = ({ id, name }: Page): string => name || id;
  const withRole = pages.filter((each) => each.access_token);
  const withoutPhoto = type === 'photoapp' ? withRole.filter((each) => !each[linkedPhotoField]) : [];
  const withoutRole = pages.filter((each) => !each.access_token);
  return { accounts, withoutRole: withoutRole.map(nameOf), withoutPhoto: withoutPhoto.map(nameOf) };
}

function accountOf(found: Page, type: AccountsRequest['type']): PlatformAccount | undefined {
  const { id, name, access_token: token, [linkedPhotoField]: photo } = found;
  if (!token) return undefined;
  // Page tokens derived from a long-lived token do not expire.
  const shared = { token, expiresAtMs: null, subscriptionId: id, isRegistered: true };
  if (type === 'pageapp') return { ...shared, resourceId: id, name: name ?? '', linkedResourceId: photo?.id ?? null };
  return photo
    ? { ...shared, resourceId: photo.id, name: photo.username ?? name ?? '', linkedResourceId: id }
    : undefined;
}
