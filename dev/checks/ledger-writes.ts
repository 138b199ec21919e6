import ts from 'typescript';
import { type Finding, reportFindings, type SourceText } from './source-files.ts';
import { lineOf, parse, sqlOf, walk } from './string-values.ts';

/** Finds writes of delivery state outside db/ledger/, and changes of a status inside it that no transition builds. */

/** With their partitions, which are named after them. */
const guardedTables = 'deliveries(?:_\\w+)?|attempts(?:_\\w+)?|conversation_holds';
const guardedTable = new RegExp(`^(?:${guardedTables})$`, 'i');
const guardedColumns = [
  'enabled',
  'disabled_reason',
  'circuit',
  'circuit_reason',
  'circuit_opened_at',
  'circuit_probe_at',
  'circuit_closed_at',
  'consecutive_failures',
  'consecutive_since',
  'recent_accepted',
  'recent_failed',
  'recent_at',
  'failing_since',
  'failing_delivery_id',
  'failed_several',
  'standing_since',
  'not_settling_since',
  'not_settling_at',
];
const tables = `${guardedTables}|destinations`;

const exempt = /^(?:db\/migrations|test|bench)\//;
const ledger = /^db\/ledger\//;
const transitionBuilder = 'db/ledger/transitions/move-deliveries-sql.ts';

// A lookahead captures the rest, because a statement can contain several writes.
const sqlWrite = new RegExp(
  `\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?|copy)\\s+(?:only\\s+)?(?:public[.])?"?(?<table>(?:${tables})\\b|\\$)(?=(?<rest>[^]*))`,
  'gi',
);
const camelCase = (column: string): string => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const guardedNames = [...guardedColumns, ...guardedColumns.map(camelCase)];
const assignedColumn = new RegExp(`\\b(?:${guardedNames.join('|')})\\b`);
/** All folders may read the destination model; only writes to guarded columns count. */
const destinationModel = 'DestinationModel';
const writingMethod = /^(?:insert|update|patch|upsert|merge|delete|del|truncate|increment|decrement)$/;

export function ledgerWrites({ path, text }: SourceText): Finding[] {
  if (ledger.test(path)) return path === transitionBuilder ? [] : statusWrites({ path, text });
  if (exempt.test(path) || !new RegExp(`${tables}|${destinationModel}`).test(text)) return [];
  const source = parse(path, text);
  const named = namedTables(source);
  const findings: Finding[] = [];
  walk(source, (node) => {
    const table = writtenTable(node, { source, named });
    if (table)
      findings.push({ line: lineOf(node), rule: `writes the state of ${table}; move the statement to db/ledger/` });
  });
  return findings;
}

function statusWrites({ path, text }: SourceText): Finding[] {
  if (!/\bdeliveries/.test(text)) return [];
  const source = parse(path, text);
  const findings: Finding[] = [];
  walk(source, (node) => {
    if (writesStatus(node, source)) {
      findings.push({ line: lineOf(node), rule: `changes a status by hand; build the statement by moveDeliveriesSql` });
    }
  });
  return findings;
}

const statusUpdate = /\bupdate\s+(?:only\s+)?(?:public[.])?"?deliveries(?:_\w+)?\b(?=(?<rest>[^]*))/gi;
const assignedStatus = /(?:\bset|,)\s*(?:\(\s*)?"?status\b/i;

function writesStatus(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    return [...sqlOf(node).matchAll(statusUpdate)].some(({ groups }) =>
      assignedStatus.test(writtenPart(groups?.['rest'] ?? '')),
    );
  }
  if (!ts.isCallExpression(node)) return false;
  const isStatusSet = node.arguments.some((value) => /\bstatus\b/.test(value.getText()));
  const table = tableInBuilder(node, { source, named: [] });
  return isStatusSet && table !== undefined && table.startsWith('deliveries') && !isInsert(node);
}

function isInsert({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'insert';
}

interface FileFacts {
  readonly source: ts.SourceFile;
  readonly named: readonly string[];
}

function writtenTable(node: ts.Node, facts: FileFacts): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return tableInSql(sqlOf(node), facts);
  if (ts.isCallExpression(node)) return tableInBuilder(node, facts);
  if (ts.isPropertyDeclaration(node) && node.name.getText() === 'tableName') {
    const table = tableOf(node.initializer);
    return table === 'destinations' ? undefined : table;
  }
  return undefined;
}

function tableInSql(sql: string, { named }: FileFacts): string | undefined {
  for (const { groups } of sql.matchAll(sqlWrite)) {
    const { table = '', rest = '' } = groups ?? {};
    // The table is inserted at run time: any table that the file names.
    if (table === '$' && named.length > 0) return named.join(', ');
    if (guardedTable.test(table)) return table;
    if (table.toLowerCase() === 'destinations' && assignedColumn.test(writtenPart(rest))) return table;
  }
  return undefined;
}

function writtenPart(rest: string): string {
  return rest.split(/\b(?:from|where|returning|values|select)\b/i)[0] ?? '';
}

function tableInBuilder({ expression, arguments: values }: ts.CallExpression, facts: FileFacts): string | undefined {
  if (!ts.isPropertyAccessExpression(expression) || !writingMethod.test(expression.name.text)) return undefined;
  const table = tableOfChain(expression.expression, facts);
  if (table !== 'destinations') return table;
  return values.some((value) => assignedColumn.test(value.getText())) ? table : undefined;
}

function tableOfChain(expression: ts.Expression, { source, named }: FileFacts): string | undefined {
  if (ts.isCallExpression(expression)) {
    return tableOf(expression.arguments[0]) ?? tableOfChain(expression.expression, { source, named });
  }
  if (ts.isPropertyAccessExpression(expression) || ts.isAwaitExpression(expression)) {
    return tableOfChain(expression.expression, { source, named });
  }
  if (!ts.isIdentifier(expression)) return undefined;
  if (expression.text === destinationModel) return 'destinations';
  const started = initializerOf(source, expression.text);
  return started ? tableOfChain(started, { source, named }) : undefined;
}

function initializerOf(source: ts.SourceFile, name: string): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  walk(source, (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer !== undefined) {
      // A chain that begins with its own name would never end.
      if (!new RegExp(`\\b${name}\\b`).test(node.initializer.getText())) found = node.initializer;
    }
  });
  return found;
}

function tableOf(value: ts.Expression | undefined): string | undefined {
  if (!value || !ts.isStringLiteralLike(value)) return undefined;
  const [, table] = new RegExp(`^(${tables})(?: as \\w+)?$`).exec(value.text) ?? [];
  return table;
}

function namedTables(source: ts.SourceFile): string[] {
  const named = new Set<string>();
  walk(source, (node) => {
    if (ts.isStringLiteralLike(node) && guardedTable.test(node.text)) named.add(node.text);
  });
  return [...named];
}

if (import.meta.main) reportFindings(/\.ts$/, ledgerWrites);
