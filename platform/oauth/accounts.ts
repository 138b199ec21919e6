import type { NoAccountCause } from '../../contract/channels/onboarding-failures.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { visibleText } from '../../contract/text/visible-text.ts';
import type { PlatformClient } from '../client/client.ts';
import { businessScope, requiredScopes } from '../client/oauth-vocabulary.ts';
import { type Grants, grantsAnswer, isAccountScope, missingScopes, targetsOf } from './grants.ts';
import { findNumbers } from './numbers.ts';
import { findPages } from './pages.ts';
import type { AccountsRequest, PlatformAccount } from './platform-account.ts';

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
