import pg from 'pg';

/** Below the timeout of a probe. */
const ANSWER_MS = 2_000;

/** Opens a connection of its own, because those of the pools may be the reason why a loop hangs. */
export async function answersNewConnection(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'service-probe',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
