import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export interface SourceUnit {
  readonly path: string;
  readonly source: ts.SourceFile;
  readonly load: (path: string) => SourceUnit | undefined;
}

export function createLoader(root: string): (path: string) => SourceUnit | undefined {
  const units = new Map<string, SourceUnit>();
  return function load(path) {
    const known = units.get(path);
    if (known) return known;
    const file = join(root, path);
    if (!existsSync(file)) return undefined;
    const unit: SourceUnit = { path, source: parse(path, readFileSync(file, 'utf8')), load };
    units.set(path, unit);
    return unit;
  };
}

export function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

/** Resolves literals, conditions, constants and their properties, including imported ones. */
export function stringValues(unit: SourceUnit, given: ts.Expression): readonly string[] | undefined {
  const expression = unwrap(given);
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const branches = [expression.whenTrue, expression.whenFalse].map((branch) => stringValues(unit, branch));
    return branches.every((branch) => branch !== undefined) ? branches.flat() : undefined;
  }
  const constant = constantOf(unit, expression);
  return constant && stringValues(constant.unit, constant.value);
}

interface Constant {
  readonly unit: SourceUnit;
  readonly value: ts.Expression;
}

function constantOf(unit: SourceUnit, expression: ts.Expression): Constant | undefined {
  if (ts.isIdentifier(expression)) return namedConstant(unit, expression.text);
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const owner = constantOf(unit, expression.expression);
  const object = owner && unwrap(owner.value);
  if (!owner || !object || !ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find((each) => each.name?.getText() === expression.name.text);
  return property && ts.isPropertyAssignment(property) ? { unit: owner.unit, value: property.initializer } : undefined;
}

function namedConstant(unit: SourceUnit, name: string): Constant | undefined {
  for (const statement of unit.source.statements) {
    if (ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const) {
      const declaration = statement.declarationList.declarations.find((each) => each.name.getText() === name);
      if (declaration?.initializer) return { unit, value: declaration.initializer };
    }
    if (ts.isImportDeclaration(statement)) {
      const imported = importedConstant(unit, { statement, name });
      if (imported) return imported;
    }
  }
  return undefined;
}

function importedConstant(
  unit: SourceUnit,
  { statement, name }: { readonly statement: ts.ImportDeclaration; readonly name: string },
): Constant | undefined {
  const bindings = statement.importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const binding = bindings.elements.find((element) => element.name.text === name);
  if (!binding || !statement.moduleSpecifier.text.startsWith('.')) return undefined;
  const imported = unit.load(normalize(join(dirname(unit.path), statement.moduleSpecifier.text)));
  return imported && namedConstant(imported, (binding.propertyName ?? binding.name).text);
}

function unwrap(expression: ts.Expression): ts.Expression {
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) || ts.isParenthesizedExpression(expression))
    return unwrap(expression.expression);
  return expression;
}

/** The text of a statement, with a placeholder for each value. */
export function sqlOf(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => `$ ${literal.text}`)].join('');
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
