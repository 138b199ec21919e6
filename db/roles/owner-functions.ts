import type { Knex } from 'knex';
import { deleteOldAuditEntriesFunction } from '../audit/delete-old-entries.ts';
import { skipIdsFunction } from '../core/server-history.ts';
import { runningTransactionsFunction } from '../core/running-transactions.ts';
import { addPeriodFunction } from '../ledger/upkeep/ledger-periods.ts';
import { detachPeriodTableFunction, dropPeriodFunction } from '../ledger/upkeep/drop-old-periods.ts';
import { analyzeLedgerFunction } from '../upkeep/analyze-ledger.ts';
import { beginEventKeysFunction } from '../upkeep/rotate-event-keys.ts';
import type { OwnerFunction } from '../core/owner-function.ts';

/**
 * What only the owner of the tables may do, as functions with the owner's rights. A process calls them with a role that
 * owns nothing. They are no migrations: each `migrate` replaces them, so that they fit the latest schema. A release may
 * change what a function does, but never its parameters or its result, because the one before calls it too.
 */
export const ownerFunctions: readonly OwnerFunction[] = [
  skipIdsFunction,
  runningTransactionsFunction,
  addPeriodFunction,
  detachPeriodTableFunction,
  dropPeriodFunction,
  analyzeLedgerFunction,
  beginEventKeysFunction,
  deleteOldAuditEntriesFunction,
];

/** Not called by a process: a new table gets the privileges of the one that it follows. */
const copyPrivilegesSql = `
create or replace function copy_privileges(source regclass, target regclass) returns void language plpgsql as $$
declare
  entry record;
begin
  for entry in select privilege_type, grantee from pg_class, aclexplode(relacl)
    where oid = source and grantee not in (0, relowner)
  loop
    execute format('grant %s on %s to %I', entry.privilege_type, target, pg_get_userbyid(entry.grantee));
  end loop;
end $$`;

/** A caller must not choose what the names in a body mean, so the path is fixed and temporary tables come last. */
function functionSql({ name, parameters = '', returns, body }: OwnerFunction, schema: string): string {
  return `create or replace function ${name}(${parameters}) returns ${returns} language plpgsql security definer
    set search_path = ${schema}, pg_temp as $body$ ${body} $body$;
    revoke all on function ${name} from public`;
}

export async function createOwnerFunctions(trx: Knex.Transaction): Promise<void> {
  const { rows } = await trx.raw<{ rows: { schema: string }[] }>(`select quote_ident(current_schema()) as schema`);
  const { schema } = rows[0]!;
  await trx.raw(copyPrivilegesSql);
  for (const each of ownerFunctions) await trx.raw(functionSql(each, schema).replaceAll('?', '\\?'));
}
