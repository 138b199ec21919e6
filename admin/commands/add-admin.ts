import { recordAudit } from '../../db/audit/record-audit.ts';
import { ensureUser, setOrganizationRole } from '../../db/people/users.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { organizationOption, readEmail, readOptions } from './options.ts';

/** Makes a user an admin, for organizations whose last admin has left. */
export async function addAdmin({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'email'] });
  const email = readEmail('email', options.email);
  const organization = await organizationOption(db, options.organization);
  return await db.transaction(async (trx) => {
    const user = await ensureUser(trx, { email });
    await setOrganizationRole(trx, { organizationId: organization.id, userId: user.id, role: 'admin' });
    const audit = operatorAudit(organization.id);
    await recordAudit(trx, { ...audit, action: 'member.added', targetId: user.publicId, reason: 'role: admin' });
    return { organizationId: organization.publicId, userId: user.publicId, email: user.email, role: 'admin' };
  });
}
