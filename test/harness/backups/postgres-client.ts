import { parseArgs } from 'node:util';
import pg from 'pg';

/**
 * `pg_basebackup`, `pg_isready` and `psql`, which the embedded binaries don't contain. The server itself makes the
 * backup, by the command of the replication protocol that `pg_basebackup` sends. Connects by the `PG*` variables.
 */
const [program, ...args] = process.argv.slice(2);
const NO_RESPONSE = 2;

if (program === 'pg_basebackup') await baseBackup();
else if (program === 'psql') await runSql();
else process.exitCode = await isReady();

async function baseBackup(): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pgdata: { type: 'string' },
      format: { type: 'string' },
      checkpoint: { type: 'string' },
      'wal-method': { type: 'string' },
      gzip: { type: 'boolean' },
      'no-password': { type: 'boolean' },
    },
  });
  const { pgdata, ...others } = values;
  const known = { format: 'tar', checkpoint: 'fast', 'wal-method': 'none', gzip: true, 'no-password': true };
  if (!pgdata || JSON.stringify(Object.entries(others).sort()) !== JSON.stringify(Object.entries(known).sort()))
    throw new Error(`Only these options are supported: ${JSON.stringify(known)}`);
  // The types of `pg` lack the option.
  const client = new pg.Client({ replication: 'true' } as pg.ClientConfig);
  await client.connect();
  try {
    await client.query(
      `BASE_BACKUP (LABEL 'test', CHECKPOINT 'fast', MANIFEST 'yes', COMPRESSION 'gzip', TARGET 'server',
         TARGET_DETAIL ${client.escapeLiteral(pgdata)})`,
    );
  } finally {
    await client.end();
  }
}

async function runSql(): Promise<void> {
  const [flags, option, sql] = args;
  if (flags !== '-qAtX' || option !== '-c' || sql === undefined) throw new Error('Use psql -qAtX -c <statement>');
  const client = new pg.Client();
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    for (const row of rows) process.stdout.write(`${row.map(String).join('|')}\n`);
  } finally {
    await client.end();
  }
}

/** Like the program, regards a server that refuses connections as running. */
async function isReady(): Promise<number> {
  const client = new pg.Client();
  try {
    await client.connect();
    await client.end();
    return 0;
  } catch (error) {
    return error instanceof pg.DatabaseError ? 1 : NO_RESPONSE;
  }
}
