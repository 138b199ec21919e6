import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import pg from 'pg';
import { StartRefused } from '../../process/stop-signals.ts';
import type { DatabaseProcess } from '../core/owner-function.ts';
import { queryRows } from '../core/query-rows.ts';
import { createOwnerFunctions, ownerFunctions } from './owner-functions.ts';
import { privilegesOf } from './privileges.ts';

/** The connection URL of each process that has a role of its own. A process without one uses the owner's. */
export type ProcessRoles = Partial<Readonly<Record<DatabaseProcess, string>>>;

interface Role {
  readonly name: string;
  readonly password: string;
}

interface RoleState {
  readonly found: boolean;
  readonly isOwner: boolean;
  /** Whether the owner has its privileges, and whether it may change it. */
  readonly isMember: boolean;
  readonly isOurs: boolean;
  readonly iterations: number;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates the functions of the owner, and the roles with exactly the privileges of the list. Call it after each
 * migration, in its session: it may be repeated.
 */
export async function prepareRoles(db: Knex, roles: ProcessRoles = {}): Promise<void> {
  await db.transaction(async (trx) => {
    await createOwnerFunctions(trx);
    for (const [process, url] of Object.entries(roles)) {
      const role = roleOf(url);
      await createRole(trx, role);
      await grant(trx, { process: process as DatabaseProcess, role: role.name });
    }
  });
}

function roleOf(url: string): Role {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

const roleStateSql = `
select r.oid is not null as found, coalesce(r.rolname = current_user, false) as "isOwner",
  coalesce(pg_has_role(r.oid, 'usage'), false) as "isMember",
  me.rolsuper or me.rolcreaterole and coalesce(case when current_setting('server_version_num')::int >= 160000
    then pg_has_role(r.oid, 'member with admin option') else true end, true) as "isOurs",
  coalesce(current_setting('scram_iterations', true), '4096')::int as iterations
from pg_roles me left join pg_roles r on r.rolname = :name
where me.rolname = current_user`;

/**
 * The owner becomes a member, so that it sees the role's transactions (`running_transactions`). A role that an
 * administrator has created keeps its password.
 */
async function createRole(trx: Knex.Transaction, { name, password }: Role): Promise<void> {
  const [state] = await queryRows<RoleState>(trx, roleStateSql, { name });
  const { found, isOwner, isMember, isOurs, iterations } = state!;
  if (isOwner) throw new StartRefused(`${name} owns the database. Give the process a role of its own in its URL.`);
  // The verifier instead of the password, because statements can end in the server's log.
  const verifier = pg.escapeLiteral(scramVerifier(password, iterations));
  const role = pg.escapeIdentifier(name);
  try {
    if (!found || isOurs) await run(trx, `${found ? 'alter' : 'create'} role ${role} login password ${verifier}`);
    if (!isMember) await run(trx, `grant ${role} to current_user`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error;
    const statements = `create role ${role} login password '…'; grant ${role} to <the role of DATABASE_URL>;`;
    throw new StartRefused(
      `The role of DATABASE_URL may not create the role ${name}. Run as an administrator: ${statements}`,
      { cause: error },
    );
  }
}

/** As the server would compute it from the password (RFC 5803). */
function scramVerifier(password: string, iterations: number): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyOf = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}

interface Grantee {
  readonly process: DatabaseProcess;
  readonly role: string;
}

/** The tables with the name that the list has for them: a partition has that of its root. */
const relationsSql = `
select c.oid::regclass::text as relation, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
  c.relkind = 'S' as "isSequence"
from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')`;

interface Relation {
  readonly relation: string;
  readonly name: string;
  readonly isSequence: boolean;
}

async function grant(trx: Knex.Transaction, { process, role }: Grantee): Promise<void> {
  const [{ schema }] = (await queryRows(trx, 'select quote_ident(current_schema()) as schema')) as [{ schema: string }];
  const relations = await queryRows<Relation>(trx, relationsSql);
  const to = pg.escapeIdentifier(role);
  const granted = privilegesOf(process);
  await run(
    trx,
    [
      `revoke all on all tables in schema ${schema} from ${to}`,
      `revoke all on all sequences in schema ${schema} from ${to}`,
      `revoke all on schema ${schema} from ${to}`,
      `grant usage on schema ${schema} to ${to}`,
      ...relations.flatMap(({ relation, name, isSequence }) =>
        granted[name] === undefined
          ? []
          : `grant ${granted[name]} on ${isSequence ? 'sequence' : 'table'} ${relation} to ${to}`,
      ),
      ...ownerFunctions.map(
        ({ name, callers }) =>
          `${callers.includes(process) ? 'grant execute' : 'revoke all'} on function ${name} ${callers.includes(process) ? 'to' : 'from'} ${to}`,
      ),
    ].join(';\n'),
  );
}

async function run(trx: Knex.Transaction, sql: string): Promise<void> {
  await trx.raw(sql.replaceAll('?', '\\?'));
}
