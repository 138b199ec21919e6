import { listStaffKeys as readStaffKeys } from '../../db/staff/keys.ts';
import type { AdminDeps } from './deps.ts';
import { readOptions } from './options.ts';

export async function listStaffKeys({ db }: AdminDeps, args: readonly string[]) {
  readOptions(args, { needed: [] });
  return { staffKeys: await readStaffKeys(db) };
}
