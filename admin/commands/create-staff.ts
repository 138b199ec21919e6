import { recordAudit } from '../../db/audit/record-audit.ts';
import { ensureUser, setStaff } from '../../db/people/users.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readEmail, readOptions } from './options.ts';

/** Staff members have support access to the deliveries of all organizations. */
export async function createStaff({ db }: AdminDeps, args: readonly string[]) {
  const email = readEmail('email', readOptions(args, { needed: ['email'] }).email);
  return await db.transaction(async (trx) => {
    const user = await ensureUser(trx, { email });
    await setStaff(trx, user.id, { isStaff: true });
    await recordAudit(trx, { ...operatorAudit(null), action: 'staff.created', targetId: user.publicId });
    return { userId: user.publicId, email: user.email, isStaff: true };
  });
}
