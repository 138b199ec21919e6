import type { Knex } from 'knex';

export async function wasSweptWithin(
  db: Knex,
  { task, withinMs }: { readonly task: string; readonly withinMs: number },
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from retention_sweeps where task = ? and ended_at > now() - ? * interval '1 millisecond'`,
    [task, withinMs],
  );
  return rows.length > 0;
}

export async function recordSweep(db: Knex, task: string): Promise<void> {
  await db.raw(
    `insert into retention_sweeps (task, ended_at) values (?, now()) on conflict (task) do update set ended_at = excluded.ended_at`,
    [task],
  );
}
