import { invalidParameter } from '../../scripted-api/refusals.ts';

/**
 * Callers select the parts of a node by `fields=id,from{id},replies.limit(3){id,text}`. Nodes and edges are computed on
 * selection.
 */
export interface GraphNode {
  readonly id: string;
  readonly type: string;
  /** Selected without `fields`. */
  readonly defaults: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly nodes?: Readonly<Record<string, (options: FieldOptions) => GraphNode | undefined>>;
  readonly edges?: Readonly<Record<string, (options: FieldOptions) => readonly GraphNode[]>>;
}

/** The options of a field such as `limit(3)`, or the query of an edge. */
export type FieldOptions = ReadonlyMap<string, string>;

interface SelectedField {
  readonly name: string;
  readonly options: FieldOptions;
  readonly fields: readonly SelectedField[] | undefined;
}

export type PresentEdge = (edge: {
  readonly owner: GraphNode;
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly options: FieldOptions;
  readonly present: (node: GraphNode) => Fields;
}) => Fields;

export type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
const OPTION = /^\.([a-z_]+)\(([^()]*)\)/;
const NAME = /^\s*([A-Za-z_]\w*)/;

export function parseFields(text: string): SelectedField[] {
  let rest = text;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(rest);
    if (found) rest = rest.slice(found[0].length);
    return found;
  };

  function readField(depth: number): SelectedField {
    const name = take(NAME)?.[1];
    if (name === undefined || depth > MAX_DEPTH) throw syntaxError(rest);
    const options = new Map<string, string>();
    for (let option = take(OPTION); option; option = take(OPTION)) options.set(option[1] ?? '', option[2] ?? '');
    return { name, options, fields: take(/^\{/) ? readFields(depth + 1, /^\s*\}/) : undefined };
  }

  function readFields(depth: number, end: RegExp): SelectedField[] {
    if (take(end)) return [];
    const fields = [readField(depth)];
    while (take(/^\s*,/)) fields.push(readField(depth));
    if (!take(end)) throw syntaxError(rest);
    return fields;
  }

  return readFields(0, /^\s*$/);
}

/** Always includes the id. */
export function selectFields(
  node: GraphNode,
  selection: readonly SelectedField[] | undefined,
  presentEdge: PresentEdge,
): Fields {
  const fields =
    selection ?? node.defaults.map((name) => ({ name, options: new Map<string, string>(), fields: undefined }));
  const selected = Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(node, field, presentEdge);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  return { ...selected, id: node.id };
}

function valueOf(node: GraphNode, { name, options, fields }: SelectedField, presentEdge: PresentEdge): unknown {
  if (name === 'id') return node.id;
  if (Object.hasOwn(node.fields, name)) return selectParts(node.fields[name], fields);
  const present = (child: GraphNode): Fields => selectFields(child, fields, presentEdge);
  const nodes = node.nodes ?? {};
  if (Object.hasOwn(nodes, name)) {
    const child = nodes[name]?.(options);
    return child && present(child);
  }
  const edges = node.edges ?? {};
  if (Object.hasOwn(edges, name)) {
    const list = edges[name]?.(options) ?? [];
    // Omits an empty list, unlike an edge with its own address.
    return list.length === 0 ? undefined : presentEdge({ owner: node, name, nodes: list, options, present });
  }
  throw invalidParameter(`Tried accessing nonexisting field (${name.slice(0, 100)}) on node type (${node.type})`);
}

function selectParts(value: unknown, fields: readonly SelectedField[] | undefined): unknown {
  if (!fields || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => selectParts(each, fields));
  if ('data' in value) return { ...value, data: selectParts(value.data, fields) };
  const wanted = new Map(fields.map((field) => [field.name, field.fields]));
  const parts = Object.entries(value).filter(([name]) => wanted.has(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, selectParts(part, wanted.get(name))]));
}

function syntaxError(rest: string) {
  return invalidParameter(`Syntax error "Expected a field name." at: ${rest.slice(0, 50)}`);
}
