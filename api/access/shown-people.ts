import { isId } from '../../contract/ids.ts';
import type { Principal } from '../requests/state.ts';

type Caller = Pick<Principal, 'scopes' | 'workspaceIds'>;

/**
 * Whether the caller sees the email addresses of people. Keys that are limited to scopes or workspaces, and portals, are
 * given to programs and to other companies.
 */
export function seesPeople({ scopes, workspaceIds }: Caller): boolean {
  return scopes === null && workspaceIds === null;
}

/** Returns null for callers who may not see it. */
export function shownEmail(caller: Caller, email: string): string | null {
  return seesPeople(caller) ? email : null;
}

/** As `shownEmail`, for the caller's own person. An agent was given that address to ask for its credential. */
export function shownOwnEmail(caller: Caller & Pick<Principal, 'credentialId'>, email: string): string | null {
  return isId('agentCredential', caller.credentialId) ? email : shownEmail(caller, email);
}
