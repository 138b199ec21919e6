import { recordAudit } from '../../db/audit/record-audit.ts';
import { revokeStaffKey } from '../../db/staff/keys.ts';
import { findStaff, setStaff } from '../../db/people/users.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readEmail, readOptions, UsageError } from './options.ts';

export async function endStaffKey({ db }: AdminDeps, args: readonly string[]) {
  const { key } = readOptions(args, { needed: ['key'] });
  return await db.transaction(async (trx) => {
    if (!(await revokeStaffKey(trx, key))) throw new UsageError(`No active staff key '${key}'. See list-staff-keys.`);
    await recordAudit(trx, { ...operatorAudit(null), action: 'staffKey.revoked', targetId: key });
    return { keyId: key, revoked: true };
  });
}

export async function removeStaff({ db }: AdminDeps, args: readonly string[]) {
  const email = readEmail('email', readOptions(args, { needed: ['email'] }).email);
  return await db.transaction(async (trx) => {
    const user = await findStaff(trx, { email });
    if (!user) throw new UsageError(`${email} is not staff.`);
    await setStaff(trx, user.id, { isStaff: false });
    await recordAudit(trx, { ...operatorAudit(null), action: 'staff.removed', targetId: user.publicId });
    return { userId: user.publicId, email, isStaff: false };
  });
}
