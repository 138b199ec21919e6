import { z } from 'zod';
import { readInstallation } from '../../db/core/installation.ts';
import { ensureUser, findStaff, setStaff } from '../../db/people/users.ts';
import { insertStaffKey, listStaffKeys as readStaffKeys, revokeStaffKey } from '../../db/staff/keys.ts';
import { type AdminDeps, recordOperation } from './deps.ts';
import { readEmail, readNumber, readOptions, UsageError } from './options.ts';

/** Limits the lifetime of forgotten keys. */
export const DEFAULT_STAFF_KEY_DAYS = 90;
const MAX_STAFF_KEY_DAYS = 3_650;
const DAY_MS = 86_400_000;

/** Staff members have support access to the deliveries of all organizations. */
export async function createStaff({ db }: AdminDeps, args: readonly string[]) {
  const email = readEmail('email', readOptions(args, { needed: ['email'] }).email);
  return await db.transaction(async (trx) => {
    const user = await ensureUser(trx, { email });
    await setStaff(trx, user.id, { isStaff: true });
    await recordOperation(trx, { action: 'staff.created', targetId: user.publicId });
    return { userId: user.publicId, email: user.email, isStaff: true };
  });
}

export async function removeStaff({ db }: AdminDeps, args: readonly string[]) {
  const email = readEmail('email', readOptions(args, { needed: ['email'] }).email);
  return await db.transaction(async (trx) => {
    const user = await findStaff(trx, { email });
    if (!user) throw new UsageError(`${email} is not staff.`);
    await setStaff(trx, user.id, { isStaff: false });
    await recordOperation(trx, { action: 'staff.removed', targetId: user.publicId });
    return { userId: user.publicId, email, isStaff: false };
  });
}

/** Creates a staff key. Prints the token once and does not store it. */
export async function createStaffKey({ db }: AdminDeps, args: readonly string[]) {
  const options = readOptions(args, { needed: ['email'], optional: ['expires', 'expires-in-days'] });
  const email = readEmail('email', options.email);
  const { expires, 'expires-in-days': days } = options;
  if (expires !== undefined && days !== undefined)
    throw new UsageError('Use --expires or --expires-in-days, not both.');
  const expiresAt = expires === undefined ? staffKeyExpiry(days) : readInstant(expires);
  const { tokenSalt } = await readInstallation(db);
  return await db.transaction(async (trx) => {
    const user = await findStaff(trx, { email });
    if (!user) throw new UsageError(`${email} is not staff. Run create-staff first.`);
    const key = await insertStaffKey(trx, tokenSalt, { userId: user.id, expiresAt });
    await recordOperation(trx, { action: 'staffKey.created', targetId: key.publicId });
    const shown = { userId: user.publicId, email, expiresAt: expiresAt?.toISOString() ?? null };
    return { keyId: key.publicId, ...shown, staffKey: key.token };
  });
}

export async function listStaffKeys({ db }: AdminDeps, args: readonly string[]) {
  readOptions(args, { needed: [] });
  return { staffKeys: await readStaffKeys(db) };
}

export async function endStaffKey({ db }: AdminDeps, args: readonly string[]) {
  const { key } = readOptions(args, { needed: ['key'] });
  return await db.transaction(async (trx) => {
    if (!(await revokeStaffKey(trx, key))) throw new UsageError(`No active staff key '${key}'. See list-staff-keys.`);
    await recordOperation(trx, { action: 'staffKey.revoked', targetId: key });
    return { keyId: key, revoked: true };
  });
}

export function staffKeyExpiry(days = String(DEFAULT_STAFF_KEY_DAYS)): Date | null {
  if (days === 'never') return null;
  const problem = `Invalid --expires-in-days '${days}'. Use 1 to ${MAX_STAFF_KEY_DAYS}, or never.`;
  return new Date(Date.now() + readNumber(days, { max: MAX_STAFF_KEY_DAYS, problem }) * DAY_MS);
}

function readInstant(given: string): Date {
  const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(given);
  if (!instant.success)
    throw new UsageError(`Invalid --expires '${given}'. Use a date such as 2030-12-31 or an ISO 8601 timestamp.`);
  const expiresAt = new Date(instant.data);
  if (expiresAt.getTime() <= Date.now()) throw new UsageError('--expires is in the past. Use a future date.');
  return expiresAt;
}
