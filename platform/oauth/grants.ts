import { z } from 'zod';
import type { ChannelType } from '../../contract/event-types.ts';
import { PlatformRejected } from '../client/errors.ts';
import { accountScopePrefixes } from '../client/oauth-vocabulary.ts';
import { isDeadCredential, rateLimitOf } from '../client/refusals.ts';

/** More targets than one consent has. A longer list is cut. */
const MAX_TARGETS = 100;

/** Digits only, so that an id cannot change the path. */
export const idText = z.string().regex(/^\d{1,40}$/);

const targets = z
  .array(z.unknown())
  .nullish()
  .catch(null)
  .transform((ids) => (ids ?? []).filter((id): id is string => idText.safeParse(id).success));
const granularScope = z.object({ scope: z.string(), target_ids: targets });

/** The members of `debug_token` that say what a customer granted. What is malformed counts as not given. */
export const grantFields = {
  scopes: z.array(z.string().max(200)).max(500).nullish().catch(null),
  granular_scopes: z.array(granularScope).max(500).nullish().catch(null),
};
export const grantsAnswer = z.object({ data: z.object(grantFields) });
export type Grants = z.output<typeof grantsAnswer>['data'];

/**
 * Returns the targets of all permissions, those of the type's permissions first. Which permission names an account
 * changes over time, so only a call with its id proves that it is one and that it was granted.
 */
export function targetsOf({ granular_scopes: granular }: Grants, type: ChannelType): readonly string[] {
  const [own, others] = [true, false].map((isOwn) =>
    (granular ?? []).filter(({ scope }) => isAccountScope(scope, type) === isOwn).flatMap((each) => each.target_ids),
  );
  return [...new Set([...(own ?? []), ...(others ?? [])])].slice(0, MAX_TARGETS);
}

/** Whether a permission of the type names no targets, which means all accounts of the customer. */
export function isUnrestricted({ granular_scopes: granular }: Grants, type: ChannelType): boolean {
  const own = (granular ?? []).filter(({ scope }) => isAccountScope(scope, type));
  return own.length === 0 || own.some(({ target_ids: ids }) => ids.length === 0);
}

/** Returns the targets of the type's own permissions. */
export function ownTargetsOf({ granular_scopes: granular }: Grants, type: ChannelType): readonly string[] {
  const own = (granular ?? []).filter(({ scope }) => isAccountScope(scope, type));
  return [...new Set(own.flatMap(({ target_ids: ids }) => ids))];
}

/** Returns undefined if there is no list of permissions. */
export function missingScopes({ scopes }: Grants, required: readonly string[]): readonly string[] | undefined {
  return scopes ? required.filter((scope) => !scopes.includes(scope)) : undefined;
}

export function isAccountScope(scope: string, type: ChannelType): boolean {
  return accountScopePrefixes[type].some((prefix) => scope.startsWith(prefix));
}

/**
 * Returns undefined if the platform refuses the object. A dead credential, a limit and a temporary refusal say nothing
 * about the object, so they are thrown.
 */
export async function unlessRefused<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof PlatformRejected) || error.isTransient) throw error;
    if (rateLimitOf(error) || isDeadCredential(error)) throw error;
    return undefined;
  }
}
