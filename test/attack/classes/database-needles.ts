import { withDatabase } from '../../faults/database.ts';
import { tablesWith as columnsWith } from '../../harness/database/tables-with.ts';
import type { World } from '../cases/world.ts';

/** Returns a salt that a database reader could try as a signing key; undefined without a database. */
export async function storedSalt({ databaseUrl }: World): Promise<Buffer | undefined> {
  if (databaseUrl === undefined) return undefined;
  return await withDatabase(databaseUrl, async (db) => {
    const row = await db<{ token_salt: Buffer }>('installation').first('token_salt');
    return row?.token_salt;
  });
}

/** Returns plain text and base64 without its last digit, which depends on the text that follows. */
export function formsOf(text: string): string[] {
  return [text, Buffer.from(text).toString('base64').split('=', 1)[0]!.slice(0, -1)];
}

export async function tablesWith(databaseUrl: string, text: string): Promise<string[]> {
  return await withDatabase(databaseUrl, async (db) => {
    const found: string[] = [];
    for (const form of formsOf(text)) found.push(...(await columnsWith(db, form)));
    return found;
  });
}
