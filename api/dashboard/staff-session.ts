import { opaqueTokenHash } from '../../db/core/opaque-tokens.ts';
import { findLiveSession } from '../../db/people/sessions.ts';
import { isStaff } from '../../db/people/users.ts';
import { readSessionCookie } from '../access/session-cookie.ts';
import type { ApiDeps } from '../requests/deps.ts';
import type { ApiContext } from '../requests/state.ts';

/** Whether one of the staff is signed in; nobody is refused here, a visitor just is none. */
export async function isStaffSession(ctx: ApiContext, deps: ApiDeps): Promise<boolean> {
  const { db, tokenSalt } = deps;
  const token = readSessionCookie(ctx, deps);
  const session = token && (await findLiveSession(db, opaqueTokenHash(tokenSalt, 'session', token)));
  return session ? await isStaff(db, session.userId) : false;
}
