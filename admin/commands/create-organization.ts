import { insertApiKey } from '../../db/organizations/api-keys.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { insertOrganization } from '../../db/organizations/organizations.ts';
import { ensureUser, setOrganizationRole } from '../../db/people/users.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readEmail, readOptions } from './options.ts';

/** Creates an organization, its admin and a key with full access. Prints the token once. */
export async function createOrganization(
  { db, secretBox }: Pick<AdminDeps, 'db' | 'secretBox'>,
  args: readonly string[],
) {
  const { name, 'admin-email': address } = readOptions(args, { needed: ['name', 'admin-email'] });
  const email = readEmail('admin-email', address);
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    const organization = await insertOrganization(trx, { name });
    const user = await ensureUser(trx, { email });
    await setOrganizationRole(trx, { organizationId: organization.id, userId: user.id, role: 'admin' });
    const key = await insertApiKey(
      trx,
      { secretBox: secretBox(), tokenSalt },
      { organizationId: organization.id, userId: user.id, name: 'First key', scopes: null },
    );
    const audit = operatorAudit(organization.id);
    await recordAudit(trx, { ...audit, action: 'organization.created', targetId: organization.publicId });
    await recordAudit(trx, { ...audit, action: 'member.added', targetId: user.publicId, reason: 'role: admin' });
    await recordAudit(trx, { ...audit, action: 'apiKey.created', targetId: key.publicId });
    return { organizationId: organization.publicId, userId: user.publicId, keyId: key.publicId, apiKey: key.token };
  });
}
