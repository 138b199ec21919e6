import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import type { OnCall } from '../client/call-report.ts';
import type { PlatformClient } from '../client/client.ts';
import { chatappAccountScope, linkedPhotoField, pageFields } from '../client/oauth-vocabulary.ts';

export interface PlatformAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAtMs: number | null;
  /** A business account or a Page. */
  readonly subscriptionId: string;
  /** A Page's photo account, or a photo account's Page. */
  readonly linkedResourceId: string | null;
}

export interface CustomerToken {
  readonly token: string;
  readonly expiresAtMs: number | null;
}

export interface AccountsRequest extends CustomerToken {
  readonly type: ChannelType;
  /** `<client id>|<client secret>`. */
  readonly appToken: string;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

const PAGE_SIZE = '100';
/** At most 1,000 accounts; one page cannot offer more. */
const MAX_PAGES = 10;

/** Digits only, so that an id cannot change the path. */
const idText = z.string().regex(/^\d{1,40}$/);

export async function listAccounts(client: PlatformClient, request: AccountsRequest): Promise<PlatformAccount[]> {
  const accounts =
    request.type === 'chatapp' ? await phoneNumbers(client, request) : await pageAccounts(client, request);
  const byId = new Map(accounts.map((account) => [account.resourceId, { ...account, name: shownName(account) }]));
  return [...byId.values()].sort((left, right) => left.name.localeCompare(right.name));
}

function shownName({ name, resourceId }: PlatformAccount): string {
  return name.replace(/\p{Cc}+/gu, ' ').trim() || resourceId;
}

interface Subscribing {
  readonly account: PlatformAccount;
  readonly type: ChannelType;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

export async function subscribeAccount(
  client: PlatformClient,
  { account, type, ...reported }: Subscribing,
): Promise<void> {
  await client.once(z.object({ success: z.literal(true) }), {
    method: 'POST',
    path: `${account.subscriptionId}/subscribed_apps`,
    ...(type !== 'chatapp' && { query: { subscribed_fields: pageFields.join(',') } }),
    token: account.token,
    ...reported,
  });
}

const grantedTargets = z.object({
  data: z.object({
    granular_scopes: z.array(z.object({ scope: z.string(), target_ids: z.array(idText).optional() })).optional(),
  }),
});
const phoneNumber = z.object({ id: idText, display_phone_number: z.string(), verified_name: z.string().optional() });

async function phoneNumbers(client: PlatformClient, request: AccountsRequest): Promise<PlatformAccount[]> {
  const { token, expiresAtMs, appToken, signal, onCall } = request;
  const call = { path: 'debug_token', query: { input_token: token, access_token: appToken }, signal, onCall };
  const { data } = await client.read(grantedTargets, call);
  const businesses = (data.granular_scopes ?? []).flatMap(({ scope, target_ids }) =>
    scope === chatappAccountScope ? (target_ids ?? []) : [],
  );
  const accounts: PlatformAccount[] = [];
  for (const subscriptionId of new Set(businesses)) {
    const path = `${subscriptionId}/phone_numbers`;
    const query = { fields: 'id,display_phone_number,verified_name' };
    for (const number of await everyItem(client, { path, query, token, signal, onCall, item: phoneNumber })) {
      const name = [number.verified_name, number.display_phone_number].filter(Boolean).join(' · ');
      accounts.push({ resourceId: number.id, name, token, expiresAtMs, subscriptionId, linkedResourceId: null });
    }
  }
  return accounts;
}

const page = z.object({
  id: idText,
  name: z.string(),
  // Missing if the customer's role on the Page is insufficient.
  access_token: z.string().min(1).optional(),
  [linkedPhotoField]: z.object({ id: idText, username: z.string().optional() }).optional(),
});

async function pageAccounts(client: PlatformClient, request: AccountsRequest): Promise<PlatformAccount[]> {
  const { token, signal, onCall, type } = request;
  const query = { fields: `id,name,access_token,${linkedPhotoField}{id,username}` };
  const pages = await everyItem(client, { path: 'me/accounts', query, token, signal, onCall, item: page });
  return pages.flatMap((each) => {
    const photo = each[linkedPhotoField];
    if (each.access_token === undefined || (type === 'photoapp' && !photo)) return [];
    // Page tokens derived from a long-lived token do not expire.
    const shared = { token: each.access_token, expiresAtMs: null, subscriptionId: each.id };
    if (type === 'pageapp') {
      return [{ ...shared, resourceId: each.id, name: each.name, linkedResourceId: photo?.id ?? null }];
    }
    if (!photo) return [];
    return [{ ...shared, resourceId: photo.id, name: photo.username ?? each.name, linkedResourceId: each.id }];
  });
}

interface ListCall<Item extends z.ZodType> {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onCall: OnCall | undefined;
  readonly item: Item;
}

/** Uses cursors instead of the URL in `paging.next`. */
async function everyItem<Item extends z.ZodType>(
  client: PlatformClient,
  { item, query, ...call }: ListCall<Item>,
): Promise<z.output<Item>[]> {
  const list = z.object({
    data: z.array(item),
    paging: z
      .object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() })
      .optional(),
  });
  const items: z.output<Item>[] = [];
  let after: string | undefined;
  for (let pageNumber = 0; pageNumber < MAX_PAGES; pageNumber++) {
    const position = after === undefined ? {} : { after };
    const { data, paging } = await client.read(list, { ...call, query: { ...query, limit: PAGE_SIZE, ...position } });
    items.push(...data);
    after = paging?.next === undefined ? undefined : paging.cursors?.after;
    if (after === undefined) break;
  }
  return items;
}
