import type { Knex } from 'knex';

/** Returns the plans of all statements that read rows, with their values, as the service's own connections plan them. */
export async function plansOf(db: Knex, act: () => Promise<unknown>): Promise<string> {
  const asked: { readonly sql: string; readonly bindings: unknown[] }[] = [];
  const note = (query: { sql: string; bindings: unknown[] }) => asked.push(query);
  db.on('query', note);
  await act();
  db.removeListener('query', note);
  const connection = await db.client.acquireConnection();
  try {
    const plans: string[] = [];
    for (const { sql, bindings } of asked) {
      const { rows } = await connection.query(`explain ${sql}`, bindings);
      plans.push(rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n'));
    }
    return plans.join('\n\n');
  } finally {
    await db.client.releaseConnection(connection);
  }
}
