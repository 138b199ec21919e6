import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import type { HealthReading } from '../../contract/channels/health.ts';
import type { PlatformClient, PlatformClientOptions } from '../client/client.ts';
import { PlatformRejected, PlatformUnavailable } from '../client/errors.ts';
import { consentScopes, searchScopes } from '../client/oauth-vocabulary.ts';
import { isDeadCredential, isMissingObject, rateLimitOf } from '../client/refusals.ts';
import { grantFields, type Grants, ownTargetsOf, targetsOf } from '../oauth/grants.ts';
import { createClients } from '../operations/account-client.ts';
import {
  accountAnswer,
  type AccountAnswer,
  profileAnswer,
  readingOf,
  accountFields,
  fallbackFields,
  profileEdge,
  profileFields,
} from './account-answers.ts';
import { businessAccountOf, type HealthAccount } from './business-account.ts';
import { createSubscriptionCheck } from './subscription.ts';

export interface PlatformHealthOptions extends Omit<PlatformClientOptions, 'version'> {
  readonly clientId: string;
  /** Optional. Permissions that customers are asked for, if not all that the service uses. */
  readonly scopes?: Readonly<Partial<Record<ChannelType, readonly string[]>>>;
  /** Optional. Fields of a Page's events, if not all that the service reads. */
  readonly pageFields?: readonly string[];
  /** Optional. The time since any instant. Default: the process's clock. */
  readonly nowMs?: () => number;
}

export type HealthAnswer =
  | { readonly outcome: 'read'; readonly reading: HealthReading }
  /** The platform shows no such account to the credential. */
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'dead'; readonly code: number; readonly subcode: number | null };

/** Each call is made once: the next check repeats it. Throws PlatformRejected or PlatformUnavailable. */
export interface PlatformHealth {
  read(account: HealthAccount): Promise<HealthAnswer>;
  close(): Promise<void>;
}

/**
 * What need not be known is asked for until then. So a check takes at most 30 s: three calls of 10 s that it needs, or one
 * other call after the first 15 s. The API waits 33 s for it.
 */
const OPTIONAL_CALLS_MS = 15_000;
/** What the platform says of an expired or revoked token. */
const DEAD_TOKEN = 190;
/** An unknown field, among others. */
const INVALID_PARAMETER = 100;

const inspection = z.object({
  data: z.object({
    is_valid: z.boolean(),
    expires_at: z.number().nonnegative().nullish(),
    ...grantFields,
    error: z
      .object({ code: z.int().nullish().catch(null), subcode: z.int().nullish().catch(null) })
      .nullish()
      .catch(null),
  }),
});
type Inspection = z.output<typeof inspection>['data'];

export function createPlatformHealth(given: PlatformHealthOptions): PlatformHealth {
  const { clientId, scopes = {}, pageFields, nowMs = () => performance.now(), ...options } = given;
  const clients = createClients(options);
  const checkSubscription = createSubscriptionCheck({ clientId, pageFields, nowMs });
  const appToken = `${clientId}|${options.appSecret}`;
  return {
    async read(account) {
      const client = clients.of(account.type);
      const startedAtMs = nowMs();
      const mayCall = (): boolean => nowMs() - startedAtMs < OPTIONAL_CALLS_MS;
      const inspected = await inspect(client, account, appToken);
      if (!inspected.is_valid) return invalidCredential(inspected);
      const answer = await accountOrLoss(client, account);
      if ('outcome' in answer) return answer;
      const ofAccount = readingOf(account.type, answer);
      const candidates = { ...candidatesOf(inspected), mayCall };
      const businessAccountId = await businessAccountOf(client, account, candidates);
      const known = businessAccountId ?? account.businessAccountId;
      return {
        outcome: 'read',
        reading: {
          ...ofAccount,
          pictureUrl: ofAccount.pictureUrl ?? (mayCall() ? await profilePicture(client, account) : null),
          businessAccountId,
          subscription: await checkSubscription(client, account, { businessAccountId: known, mayCall }),
          permissions: permissionsOf(inspected, requiredOf(account.type, scopes)),
          // Seconds; 0 means that the token does not expire.
          credentialExpiresAt: inspected.expires_at ? new Date(inspected.expires_at * 1000) : null,
        },
      };
    },
    close: () => clients.close(),
  };
}

async function inspect(client: PlatformClient, account: HealthAccount, appToken: string): Promise<Inspection> {
  const { token, signal, onCall } = account;
  const query = { input_token: token, access_token: appToken };
  try {
    return (await client.once(inspection, { path: 'debug_token', query, signal, onCall })).data;
  } catch (error) {
    // A refusal of the app's own call says nothing about the account's credential.
    if (!(error instanceof PlatformRejected) || rateLimitOf(error)) throw error;
    throw new PlatformUnavailable('The platform does not show what the credential was granted for', { cause: error });
  }
}

function invalidCredential({ error }: Inspection): Loss {
  const { code, subcode } = { code: error?.code ?? DEAD_TOKEN, subcode: error?.subcode ?? null };
  if (isDeadCredential({ code, subcode })) return { outcome: 'dead', code, subcode };
  throw new PlatformUnavailable(`The platform can't inspect the credential (code ${code})`);
}

type Loss = Exclude<HealthAnswer, { outcome: 'read' }>;

async function accountOrLoss(client: PlatformClient, account: HealthAccount): Promise<AccountAnswer | Loss> {
  try {
    return await accountOf(client, account);
  } catch (error) {
    if (!(error instanceof PlatformRejected)) throw error;
    const { code, subcode } = error;
    if (code !== null && isDeadCredential(error)) return { outcome: 'dead', code, subcode };
    if (isMissingObject(error)) return { outcome: 'not_found' };
    throw error;
  }
}

async function accountOf(client: PlatformClient, account: HealthAccount): Promise<AccountAnswer> {
  const { type, resourceId, token, signal, onCall } = account;
  const read = (fields: string) =>
    client.once(accountAnswer, { path: resourceId, query: { fields }, token, signal, onCall });
  try {
    return await read(accountFields[type]);
  } catch (error) {
    const fallback = fallbackFields[type];
    const isUnknownField = error instanceof PlatformRejected && error.code === INVALID_PARAMETER;
    if (fallback === undefined || !isUnknownField || isMissingObject(error)) throw error;
    return await read(fallback);
  }
}

/** A number without a readable profile has no picture. */
async function profilePicture(client: PlatformClient, account: HealthAccount): Promise<string | null> {
  const { type, resourceId, token, signal, onCall } = account;
  if (type !== 'chatapp') return null;
  const call = { path: `${resourceId}/${profileEdge}`, query: { fields: profileFields }, token, signal, onCall };
  try {
    return (await client.once(profileAnswer, call)).data[0]?.profile_picture_url ?? null;
  } catch (error) {
    if (rateLimitOf(error)) throw error;
    return null;
  }
}

/** A connected number belongs to the only business account that its permissions name. */
function candidatesOf(grants: Grants): { readonly ids: readonly string[]; readonly sure: string | undefined } {
  const own = ownTargetsOf(grants, 'chatapp');
  return { ids: targetsOf(grants, 'chatapp'), sure: own.length === 1 ? own[0] : undefined };
}

/** A connected channel needs none of the permissions of the search for accounts. */
function requiredOf(type: ChannelType, given: NonNullable<PlatformHealthOptions['scopes']>): readonly string[] {
  const asked = given[type]?.length ? given[type] : consentScopes[type];
  return asked.filter((scope) => !searchScopes[type].includes(scope));
}

function permissionsOf({ scopes }: Inspection, required: readonly string[]): HealthReading['permissions'] {
  if (!scopes) return null;
  const granted = [...new Set(scopes)].sort();
  return { granted, missing: required.filter((scope) => !granted.includes(scope)) };
}
