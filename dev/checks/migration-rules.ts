/** Tables that grow with traffic, with their partitions and the generations of event keys. */
const growingTable =
  /^(?:(?:events|event_keys|deliveries|attempts)(?:_\w+)?|unrouted_events|conversation_holds|replay_items|outbound_calls|test_events|audit_entries)$/;

/** In lower case, with single spaces. */
export interface Statement {
  /** Up to the table's name, or the whole statement. */
  readonly verb: string;
  /** Optional. Omitted if the statement names no table. */
  readonly table?: string | undefined;
  /** One action of `alter table`, or the rest of another statement. */
  readonly rest: string;
}

export interface MigrationRule {
  readonly name: string;
  readonly breaks: (statement: Statement, migration: string) => boolean;
  readonly advice: string;
}

const isAlter = ({ verb }: Statement): boolean => verb === 'alter table';
const isGrowing = ({ table }: Statement): boolean => table !== undefined && growingTable.test(table);
const addsColumn = (statement: Statement): boolean =>
  isAlter(statement) && /^add (?!constraint\b|primary\b|foreign\b|unique\b|check\b|exclude\b)/.test(statement.rest);

/** The previous version accepts events while a migration runs, and an operator may return to it. */
export const migrationRules = [
  {
    name: 'drops',
    breaks: (statement) =>
      /^(?:drop (?:table|schema|type|view|sequence|function)|truncate)\b/.test(statement.verb) ||
      (isAlter(statement) && /^drop (?!not null)/.test(statement.rest)),
    advice: 'drops what the previous version uses; drop it in a later release',
  },
  {
    name: 'renames',
    breaks: ({ verb, rest }) => verb.startsWith('alter ') && /\brename\b|\bset schema\b/.test(`${verb} ${rest}`),
    advice: 'renames what the previous version uses; add the new name and write both',
  },
  {
    name: 'changes-type',
    breaks: (statement) => isAlter(statement) && /^alter (?:column )?\S+ (?:set data )?type\b/.test(statement.rest),
    advice: 'rewrites the table under a lock; add a column of the new type',
  },
  {
    name: 'sets-not-null',
    breaks: (statement, migration) =>
      isAlter(statement) && /\bset not null$/.test(statement.rest) && !/\bvalidate constraint\b/.test(migration),
    advice: 'scans the table under a lock; validate a check in the same migration first',
  },
  {
    name: 'requires-column',
    breaks: (statement) =>
      addsColumn(statement) && /\bnot null\b/.test(statement.rest) && !/\bdefault\b|\bgenerated\b/.test(statement.rest),
    advice: 'the previous version inserts rows without the column; give it a default',
  },
  {
    name: 'rewrites',
    breaks: (statement) =>
      addsColumn(statement) &&
      isGrowing(statement) &&
      /serial\b|\bstored\b|\bidentity\b|\bdefault (?:gen_random_uuid|clock_timestamp|nextval|random)\b/.test(
        statement.rest,
      ),
    advice: 'rewrites a growing table under a lock; add the column without a value and fill it from a job',
  },
  {
    name: 'scans',
    breaks: (statement) =>
      isAlter(statement) &&
      isGrowing(statement) &&
      (addsColumn(statement)
        ? /\bcheck \(|\bunique\b|\breferences\b/.test(statement.rest)
        : /^add /.test(statement.rest) && !/\bnot valid$|\busing index\b/.test(statement.rest)),
    advice:
      'scans a growing table under a lock; add the constraint as not valid and validate it in another transaction',
  },
  {
    name: 'blocks-writes',
    breaks: (statement) =>
      /^create (?:unique )?index\b/.test(statement.verb) && isGrowing(statement) && !isConcurrent(statement),
    advice: 'blocks writes to a growing table; use concurrentIndex()',
  },
  {
    name: 'writes-all',
    breaks: (statement) => /^(?:update|delete from)$/.test(statement.verb) && isGrowing(statement),
    advice: 'writes a growing table in one transaction; fill it in batches from a job',
  },
  {
    name: 'locks',
    breaks: (statement) =>
      /^(?:lock|cluster|vacuum full)\b/.test(statement.verb) ||
      (/^reindex\b/.test(statement.verb) && !isConcurrent(statement)),
    advice: 'holds a lock for its whole transaction; split the migration',
  },
] as const satisfies readonly MigrationRule[];

export type RuleName = (typeof migrationRules)[number]['name'];

function isConcurrent({ verb, rest }: Statement): boolean {
  return /\bconcurrently\b/.test(`${verb} ${rest}`);
}

/** Calls of knex's schema builder, which have no SQL to read. */
export const builderRules: Readonly<Record<string, RuleName>> = {
  dropTable: 'drops',
  dropTableIfExists: 'drops',
  dropColumn: 'drops',
  dropColumns: 'drops',
  dropView: 'drops',
  renameTable: 'renames',
  renameColumn: 'renames',
  alter: 'changes-type',
  dropNullable: 'sets-not-null',
};

const relation = String.raw`(?:if exists |only )*(?:public\.)?"?([\w$]+)"?`;
const targets: readonly RegExp[] = [
  new RegExp(`^(alter table) ${relation} ?`),
  new RegExp(`^(create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:\\S+ )?on) ${relation} ?`),
  new RegExp(`^(update|delete from) ${relation} ?`),
];

/** Splits SQL at semicolons, and `alter table` at the commas between its actions. */
export function statementsOf(sql: string): Statement[] {
  const plain = sql.replace(/\$\$[^$]*\$\$/g, ' body ').replace(/--[^\n]*/g, '');
  return split(plain.toLowerCase(), ';').flatMap((text): Statement[] => {
    const statement = text.replace(/\s+/g, ' ').trim();
    for (const target of targets) {
      const [all, verb, table] = target.exec(statement) ?? [];
      if (all === undefined || verb === undefined) continue;
      const rest = statement.slice(all.length);
      const actions = verb === 'alter table' ? split(rest, ',') : [rest];
      return actions.map((action) => ({ verb, table, rest: action.trim() }));
    }
    return statement === '' ? [] : [{ verb: statement, rest: '' }];
  });
}

/** Ignores separators in parentheses and quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
