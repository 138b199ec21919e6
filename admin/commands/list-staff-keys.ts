import { listStaffKeys as readStaffKeys } from '../../db/staff/keys.ts';
import type { AdminDeps } from './deps.ts';
import { readOptions } from './options.ts';

/** Lists the keys of staff that are not revoked, with who they are for and when they expire. */
export async function listStaffKeys({ db }: AdminDeps, args: readonly string[]) {
  readOptions(args, { needed: [] });
  return { staffKeys: await readStaffKeys(db) };
}
