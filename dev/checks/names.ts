import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { statusByErrorCode } from '../../contract/errors.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { failureTypes } from '../../contract/failures.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { taskQueues } from '../../contract/task-queues.ts';
import { projectRoot, sourceFiles } from './source-files.ts';
import { createLoader, lineOf, type SourceUnit, stringValues, walk } from './string-values.ts';

export type Names = Readonly<Record<string, readonly string[]>>;

const product =
  /^(?:activities|admin|api|db|egress|gateway|metrics|platform|process|simulator|worker|workflow-starts|workflows)\/.*\.ts$/;
const listPath = join(projectRoot, 'test', 'dev', 'checks', 'names.json');

const changeable = new Set(['logEvents']);

/** Throws if a name is not a constant, because the list would be incomplete. */
export function namesInUse(root = projectRoot, paths = sourceFiles(product)): Names {
  const load = createLoader(root);
  const found: Record<string, Set<string>> = {};
  const add = (kind: string, names: readonly string[]): void => {
    const known = (found[kind] ??= new Set());
    for (const name of names) known.add(name);
  };
  for (const path of paths) {
    const unit = load(path);
    if (unit) walk(unit.source, (node) => collect(unit, node, add));
  }
  return {
    workflows: sorted(exportsOf(load('workflows/index.ts'))),
    activities: sorted(found['activities']),
    signals: sorted(found['signals']),
    queries: sorted(found['queries']),
    updates: sorted(found['updates']),
    searchAttributes: sorted(Object.values(searchAttributes)),
    taskQueues: sorted(Object.values(taskQueues)),
    failureTypes: sorted(Object.values(failureTypes)),
    errorCodes: sorted(Object.keys(statusByErrorCode)),
    eventTypes: sorted(eventTypes),
    metrics: sorted(found['metrics']),
    logEvents: sorted(found['logEvents']),
  };
}

export function listedNames(): Names {
  return JSON.parse(readFileSync(listPath, 'utf8'));
}

const messageKinds = new Map([
  ['defineSignal', 'signals'],
  ['defineQuery', 'queries'],
  ['defineUpdate', 'updates'],
]);
const instruments = new Set(['counters', 'gauges', 'histogram']);
const logLevels = new Set(['debug', 'info', 'warn', 'error']);

function collect(unit: SourceUnit, node: ts.Node, add: (kind: string, names: readonly string[]) => void): void {
  if (ts.isVariableDeclaration(node)) return add('activities', proxiedActivities(node));
  if (!ts.isCallExpression(node)) return;
  const [first] = node.arguments;
  if (!first) return;
  const { expression: callee } = node;
  if (ts.isIdentifier(callee)) {
    const kind = messageKinds.get(callee.text);
    if (kind) add(kind, constantText(unit, first));
  } else if (isLogCall(node)) {
    add('logEvents', constantText(unit, first));
  } else if (ts.isPropertyAccessExpression(callee) && instruments.has(callee.name.text)) {
    if (/\bregistry$/.test(callee.expression.getText())) add('metrics', metricNames(unit, first));
  }
}

export function isLogCall({ expression: callee }: ts.CallExpression): boolean {
  if (ts.isElementAccessExpression(callee)) return isLog(callee.expression);
  return ts.isPropertyAccessExpression(callee) && logLevels.has(callee.name.text) && isLog(callee.expression);
}

function isLog(expression: ts.Expression): boolean {
  if (ts.isIdentifier(expression)) return expression.text === 'log';
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'log';
}

function constantText(unit: SourceUnit, expression: ts.Expression): readonly string[] {
  const values = stringValues(unit, expression);
  if (values) return values;
  throw new Error(
    `${unit.path}:${lineOf(expression)}: the name \`${expression.getText()}\` is not a constant. Pass a literal or a constant.`,
  );
}

function proxiedActivities({ name, initializer }: ts.VariableDeclaration): string[] {
  if (!initializer || !ts.isCallExpression(initializer) || !ts.isObjectBindingPattern(name)) return [];
  if (!/^proxy(?:Local)?Activities$/.test(initializer.expression.getText())) return [];
  return name.elements.map((element) => (element.propertyName ?? element.name).getText());
}

/** Of a histogram, or of a table of help texts by name. */
function metricNames(unit: SourceUnit, argument: ts.Expression): readonly string[] {
  if (!ts.isObjectLiteralExpression(argument)) return constantText(unit, argument);
  const name = argument.properties.find((each) => each.name?.getText() === 'name');
  if (name && ts.isPropertyAssignment(name)) return constantText(unit, name.initializer);
  return argument.properties.map((each) => each.name!.getText());
}

function exportsOf(unit: SourceUnit | undefined): string[] {
  return (unit?.source.statements ?? []).flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) return [];
    return ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [];
  });
}

function sorted(names: Iterable<string> = []): string[] {
  return [...new Set(names)].sort();
}

if (import.meta.main) {
  const listed = listedNames();
  const merged = Object.entries(namesInUse()).map(([kind, names]) => [
    kind,
    changeable.has(kind) ? names : sorted([...(listed[kind] ?? []), ...names]),
  ]);
  writeFileSync(listPath, `${JSON.stringify(Object.fromEntries(merged), null, 2)}\n`);
}
