import { z } from 'zod';
import { recordAudit } from '../../db/audit/record-audit.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { insertStaffKey } from '../../db/staff/keys.ts';
import { findStaff } from '../../db/people/users.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readEmail, readOptions, UsageError } from './options.ts';
import { staffKeyExpiry } from './staff-key-expiry.ts';

/** Creates a staff key. Prints the token once and does not store it. */
export async function createStaffKey({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['email'], optional: ['expires', 'expires-in-days'] });
  const email = readEmail('email', options.email);
  const expiresAt = readExpiry(options);
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    const user = await findStaff(trx, { email });
    if (!user) throw new UsageError(`${email} is not staff. Run create-staff first.`);
    const key = await insertStaffKey(trx, tokenSalt, { userId: user.id, expiresAt });
    await recordAudit(trx, { ...operatorAudit(null), action: 'staffKey.created', targetId: key.publicId });
    const shown = { userId: user.publicId, email, expiresAt: expiresAt?.toISOString() ?? null };
    return { keyId: key.publicId, ...shown, staffKey: key.token };
  });
}

function readExpiry({ expires, 'expires-in-days': days }: Partial<Record<'expires' | 'expires-in-days', string>>) {
  if (expires === undefined) return staffKeyExpiry(days);
  if (days !== undefined) throw new UsageError('Use --expires or --expires-in-days, not both.');
  return readInstant(expires);
}

function readInstant(given: string): Date {
  const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(given);
  if (!instant.success)
    throw new UsageError(`Invalid --expires '${given}'. Use a date such as 2030-12-31 or an ISO 8601 timestamp.`);
  const expiresAt = new Date(instant.data);
  if (expiresAt.getTime() <= Date.now()) throw new UsageError('--expires is in the past. Use a future date.');
  return expiresAt;
}
