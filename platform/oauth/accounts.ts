import type { NoAccountCause } from '../../contract/channels/onboarding-failures.ts';
import { numberName } from '../../contract/channels/number-name.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { visibleText } from '../../contract/text/visible-text.ts';
import type { PlatformClient } from '../client/client.ts';
import { businessScope, requiredScopes, linkedPhotoField } from '../client/oauth-vocabulary.ts';
import {
  type Grants,
  grantsAnswer,
  isAccountScope,
  missingScopes,
  targetsOf,
  idText,
  isUnrestricted,
  unlessRefused,
} from './grants.ts';
import { z } from 'zod';
import { everyItem } from '../client/every-item.ts';
import { isRegistered } from '../client/number-registration.ts';
import { accountsOfBusinesses, inParallel } from './businesses.ts';
import type { OnCall } from '../client/call-report.ts';

/** Why an account may be missing, and which ones or which permissions, if known. */
export interface MissingAccounts {
  readonly cause: NoAccountCause;
  readonly names: readonly string[];
}

export interface FoundAccounts {
  readonly accounts: readonly PlatformAccount[];
  /** The most likely cause first. */
  readonly missing: readonly MissingAccounts[];
}

/** A page shows this many names. */
const MAX_NAMES = 5;

/** Finds the accounts that a customer granted, and says why others are missing. */
export async function listAccounts(client: PlatformClient, request: AccountsRequest): Promise<FoundAccounts> {
  const grants = await readGrants(client, request);
  const { accounts, missing } =
    request.type === 'chatapp'
      ? await searchNumbers(client, request, grants)
      : await searchPages(client, request, grants);
  const byId = new Map(accounts.map((account) => [account.resourceId, { ...account, name: shownName(account) }]));
  const shown = [...byId.values()].sort((left, right) => left.name.localeCompare(right.name));
  return { accounts: shown, missing: shown.length > 0 ? missing : causes(request, { grants, missing }) };
}

async function readGrants(client: PlatformClient, { token, appToken, signal, onCall }: AccountsRequest) {
  const query = { input_token: token, access_token: appToken };
  return (await client.read(grantsAnswer, { path: 'debug_token', query, signal, onCall })).data;
}

async function searchNumbers(...search: Parameters<typeof findNumbers>): Promise<FoundAccounts> {
  const { accounts, businessCount } = await findNumbers(...search);
  const isEmpty = accounts.length === 0 && businessCount > 0;
  return { accounts, missing: isEmpty ? [{ cause: 'number_missing', names: [] }] : [] };
}

async function searchPages(...search: Parameters<typeof findPages>): Promise<FoundAccounts> {
  const { accounts, isListRefused, withoutRole, withoutPhoto } = await findPages(...search);
  const found = [
    { cause: 'role_missing', names: withoutRole },
    { cause: 'photo_account_missing', names: withoutPhoto },
  ] as const;
  const missing = found
    .filter(({ names }) => names.length > 0)
    .map(({ cause, names }) => ({ cause, names: names.map(visibleText).slice(0, MAX_NAMES) }));
  return { accounts, missing: isListRefused ? [...missing, { cause: 'access_refused', names: [] }] : missing };
}

/** Of a search that found nothing, the most likely one first. */
function causes(
  { type }: AccountsRequest,
  { grants, missing }: { readonly grants: Grants; readonly missing: readonly MissingAccounts[] },
): readonly MissingAccounts[] {
  const lacking = lackingScopes(grants, type);
  const of = (cause: NoAccountCause, names: readonly string[] = []): MissingAccounts => ({ cause, names });
  const found = missing.filter(({ cause }) => cause !== 'access_refused' || lacking.length === 0);
  const isExplained = found.length > 0 || lacking.length > 0;
  const unexplained = targetsOf(grants, type).length > 0 ? of('access_refused') : of('not_selected');
  return [
    ...found,
    ...(lacking.length > 0 ? [of('permission_missing', lacking)] : []),
    ...(isExplained ? [] : [unexplained]),
    ...(missingScopes(grants, [businessScope])?.length ? [of('business_permission_missing')] : []),
  ];
}

function lackingScopes(grants: Grants, type: ChannelType): readonly string[] {
  // The platform has several permissions for numbers, and each of them shows them.
  if (type === 'chatapp' && grants.scopes?.some((scope) => isAccountScope(scope, type))) return [];
  return missingScopes(grants, requiredScopes[type]) ?? [];
}

function shownName({ name, resourceId }: PlatformAccount): string {
  return visibleText(name) || resourceId;
}

const basicNumberFields = 'id,display_phone_number,verified_name';
const numberFields = `${basicNumberFields},status,platform_type,is_on_biz_app`;
const word = z.string().nullish().catch(null);
const phoneNumber = z.object({
  id: idText,
  display_phone_number: word,
  verified_name: word,
  status: word,
  platform_type: word,
  is_on_biz_app: z.boolean().nullish().catch(null),
});

interface FoundNumbers {
  readonly accounts: readonly PlatformAccount[];
  /** Business accounts that were granted. */
  readonly businessCount: number;
}

/** A list of numbers proves that its id is a business account and that the customer granted it. */
async function findNumbers(client: PlatformClient, request: AccountsRequest, grants: Grants): Promise<FoundNumbers> {
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
  const numbers = (await list(numberFields)) ?? (await list(basicNumberFields));
  return numbers?.map((number) => ({
    resourceId: number.id,
    token,
    expiresAtMs,
    subscriptionId,
    linkedResourceId: null,
    name: numberName({ name: number.verified_name, phoneNumber: number.display_phone_number }),
    isRegistered: isRegistered(number),
  }));
}

const pageFields = `id,name,access_token,${linkedPhotoField}{id,username}`;
const page = z.object({
  id: idText,
  name: word,
  // Missing if the customer's role on the Page is insufficient.
  access_token: word,
  [linkedPhotoField]: z.object({ id: idText, username: word }).nullish().catch(null),
});
type Page = z.output<typeof page>;

interface FoundPages {
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
async function findPages(client: PlatformClient, request: AccountsRequest, grants: Grants): Promise<FoundPages> {
  const { token, signal, onCall, type } = request;
  const call = { query: { fields: pageFields }, token, signal, onCall };
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

export interface PlatformAccount {
  readonly resourceId: string;
  readonly name: string;
  readonly token: string;
  readonly expiresAtMs: number | null;
  /** A business account or a Page. */
  readonly subscriptionId: string;
  /** A Page's photo account, or a photo account's Page. */
  readonly linkedResourceId: string | null;
  /** False for a number that receives no events until it is registered. */
  readonly isRegistered: boolean;
}

export interface CustomerToken {
  readonly token: string;
  readonly expiresAtMs: number | null;
}

interface AccountsRequest extends CustomerToken {
  readonly type: ChannelType;
  /** `<client id>|<client secret>`. */
  readonly appToken: string;
  readonly signal: AbortSignal;
  readonly onCall?: OnCall | undefined;
}
