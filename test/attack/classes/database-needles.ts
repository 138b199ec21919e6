import { connectDatabase } from '../../../db/core/connect-database.ts';
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

/** Finds the text also as bytes. */
export async function tablesWith(databaseUrl: string, text: string): Promise<string[]> {
  return await withDatabase(databaseUrl, async (db) => {
    const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    const forms = [...formsOf(text), Buffer.from(text).toString('hex')];
    for (const { name } of tables) {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        'select 1 from ?? one where position(? in one::text) > 0 or position(? in one::text) > 0 or position(? in one::text) > 0 limit 1',
        [name, ...forms],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  });
}

async function withDatabase<Result>(
  url: string,
  act: (db: ReturnType<typeof connectDatabase>) => Promise<Result>,
): Promise<Result> {
  const db = connectDatabase({ url, applicationName: 'attack', poolSize: 1 });
  try {
    return await act(db);
  } finally {
    await db.destroy();
  }
}
