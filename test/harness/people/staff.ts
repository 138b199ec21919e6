import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { readInstallation } from '../../../db/core/installation.ts';
import { insertStaffKey } from '../../../db/staff/keys.ts';
import { ensureUser, setStaff, type User } from '../../../db/people/users.ts';

export interface StaffKey {
  readonly user: User;
  readonly publicId: string;
  readonly token: string;
}

export async function aStaffKey(db: Knex, { expiresAt = null }: { expiresAt?: Date | null } = {}): Promise<StaffKey> {
  const user = await ensureUser(db, { email: `${randomBytes(6).toString('hex')}@support.example.com` });
  await setStaff(db, user.id, { isStaff: true });
  const { tokenSalt } = await readInstallation(db);
  return { user, ...(await insertStaffKey(db, tokenSalt, { userId: user.id, expiresAt })) };
}
