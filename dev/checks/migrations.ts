import ts from 'typescript';
import { type Finding, reportFindings, type SourceText } from './source-files.ts';
import { builderRules, migrationRules, type RuleName, statementsOf } from './migration-rules.ts';
import { lineOf, parse, walk } from './string-values.ts';

/** Finds migrations that would stop the previous version, or hold its statements up. */

/** Rules that a migration may break, each with the reason. The reason says why the previous version is not affected. */
export type MigrationExceptions = Readonly<Record<string, Readonly<Partial<Record<RuleName, string>>>>>;
const exceptions: MigrationExceptions = {};

export function migrationFindings({ path, text }: SourceText, allowed: MigrationExceptions = exceptions): Finding[] {
  const [, name] = /^db\/migrations\/(\d{4}-[^/]*)\.ts$/.exec(path) ?? [];
  if (name === undefined) return [];
  const source = parse(path, text);
  const found: { readonly line: number; readonly rule: RuleName }[] = [];
  walk(source, (node) => {
    if (isForRollback(node)) return;
    for (const rule of rulesBrokenBy(node, text)) found.push({ line: lineOf(node), rule });
  });
  const permitted = allowed[name] ?? {};
  const unused = Object.keys(permitted).filter((rule) => !found.some((each) => each.rule === rule));
  return [
    ...found
      .filter(({ rule }) => permitted[rule] === undefined)
      .map(({ line, rule }) => ({ line, rule: adviceOf(rule) })),
    ...unused.map((rule) => ({ line: 1, rule: `does not need its exception '${rule}'; remove it` })),
  ];
}

function adviceOf(rule: RuleName): string {
  return `${migrationRules.find(({ name }) => name === rule)!.advice} (${rule})`;
}

function rulesBrokenBy(node: ts.Node, migration: string): RuleName[] {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const method = node.expression.name.text;
    return Object.hasOwn(builderRules, method) ? [builderRules[method]!] : [];
  }
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return [];
  const broken = statementsOf(sqlOf(node)).flatMap((statement) =>
    migrationRules.filter(({ breaks }) => breaks(statement, migration.toLowerCase())).map(({ name }) => name),
  );
  return [...new Set(broken)];
}

/** Only tests call `down`. */
function isForRollback(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (isNamed(at) && at.name?.getText().startsWith('down')) return true;
  }
  return false;
}

const isNamed = (node: ts.Node) =>
  ts.isMethodDeclaration(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isFunctionDeclaration(node);

function sqlOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => `placeholder${literal.text}`)].join('');
}

if (import.meta.main) reportFindings(/^db\/migrations\/.*\.ts$/, (file) => migrationFindings(file));
