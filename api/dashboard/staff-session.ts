import { opaqueTokenHash } from '../../db/opaque-tokens.ts';
import { findLiveSession } from '../../db/sessions.ts';
import { isStaff } from '../../db/users.ts';
import { readSessionCookie } from '../access/session-cookie.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiContext } from '../state.ts';

/** Whether one of the staff is signed in; nobody is refused here, a visitor just is none. */
export async function isStaffSession(ctx: ApiContext, deps: ApiDeps): Promise<boolean> {
  const { db, tokenSalt } = deps;
  const token = readSessionCookie(ctx, deps);
  const session = token && (await findLiveSession(db, opaqueTokenHash(tokenSalt, 'session', token)));
  return session ? await isStaff(db, session.userId) : false;
}
