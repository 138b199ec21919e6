import type { Knex } from 'knex';
import { insertApiKey } from '../../db/organizations/api-keys.ts';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { findOldestAdmin, findUser } from '../../db/people/users.ts';
import type { Organization } from '../../db/organizations/organizations.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { organizationOption, readEmail, readOptions, UsageError } from './options.ts';

/** Creates a key with full access on behalf of an organization admin. Prints the token once. */
export async function createKey({ db, secretBox }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['organization', 'name'], optional: ['email'] });
  const organization = await organizationOption(db, options.organization);
  const userId = await holderOf(db, organization, options.email);
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    const owner = { organizationId: organization.id, userId };
    const keys = { secretBox: secretBox(), tokenSalt };
    const key = await insertApiKey(trx, keys, { ...owner, name: options.name, scopes: null });
    const audit = operatorAudit(organization.id);
    await recordAudit(trx, { ...audit, action: 'apiKey.created', targetId: key.publicId });
    return { organizationId: organization.publicId, keyId: key.publicId, name: options.name, apiKey: key.token };
  });
}

async function holderOf(db: Knex, organization: Organization, address: string | undefined): Promise<number> {
  const organizationId = organization.id;
  if (address === undefined) {
    const admin = await findOldestAdmin(db, { organizationId });
    if (!admin) throw new UsageError(`${organization.publicId} has no admin. Add one with add-admin.`);
    return admin.id;
  }
  const email = readEmail('email', address);
  const user = await findUser(db, { email });
  const isAdmin = user && (await findOldestAdmin(db, { organizationId, userId: user.id })) !== undefined;
  if (!isAdmin)
    throw new UsageError(`${email} is not an admin of ${organization.publicId}. Pass the email address of an admin.`);
  return user.id;
}
