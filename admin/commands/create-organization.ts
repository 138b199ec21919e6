import { z } from 'zod';
import { insertApiKey } from '../../db/api-keys.ts';
import { readInstallation } from '../../db/installation.ts';
import { insertOrganization } from '../../db/organizations.ts';
import { ensureUser, setOrganizationRole } from '../../db/users.ts';
import type { AdminDeps } from '../deps.ts';
import { readOptions, UsageError } from '../options.ts';

/** Creates an organization with its admin and a key with full access; the key's token is printed here and never again. */
export async function createOrganization({ db, secretBox }: AdminDeps, args: readonly string[]) {
  const { name, 'admin-email': email } = readOptions(args, { needed: ['name', 'admin-email'] });
  if (!z.email().safeParse(email).success) throw new UsageError('--admin-email is not an e-mail address');
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
    return { organizationId: organization.publicId, userId: user.publicId, keyId: key.publicId, apiKey: key.token };
  });
}
