import type { ApiCall, ApiTypes } from '../../scripted-api/api.ts';
import { pageOf } from '../../scripted-api/paging.ts';
import { textParameters } from '../../scripted-api/parameters.ts';
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

/** What presenting a node needs to know of the call. */
export interface Reading {
  /** Address of the objects. */
  readonly base: string;
  readonly token: string;
  readonly parameters: ReadonlyMap<string, string>;
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
const OPTION = /^\.([a-z_]+)\(([^()]*)\)/;
const NAME = /^\s*([A-Za-z_]\w*)/;

/** The platform's format: whole seconds, offset without colon. */
export function platformTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, '+0000');
}

export function readingOf<T extends ApiTypes>({ target, token, parameters, origin }: ApiCall<T>): Reading {
  const version = /^\/v\d+\.\d+/.exec(target.url.pathname)?.[0] ?? '';
  return { base: `${origin}${version}`, token, parameters: textParameters(parameters) };
}

export function presentNode(node: GraphNode, reading: Reading): Fields {
  const fields = reading.parameters.get('fields');
  return selectFields(node, fields === undefined ? undefined : parseFields(fields), reading);
}

export function presentList(owner: GraphNode, name: string, reading: Reading) {
  const { base, token, parameters } = reading;
  const nodes = owner.edges?.[name]?.(parameters) ?? [];
  const url = `${base}/${owner.id}/${name}`;
  return pageOf(nodes, { parameters, url, token, present: (node) => presentNode(node, reading) });
}

function parseFields(text: string): SelectedField[] {
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
function selectFields(node: GraphNode, selection: readonly SelectedField[] | undefined, reading: Reading): Fields {
  const fields =
    selection ?? node.defaults.map((name) => ({ name, options: new Map<string, string>(), fields: undefined }));
  const selected = fields.flatMap((field) => {
    const value = valueOf(node, field, reading);
    return value === undefined ? [] : [[field.name, value]];
  });
  return { ...Object.fromEntries(selected), id: node.id };
}

function valueOf(node: GraphNode, { name, options, fields }: SelectedField, reading: Reading): unknown {
  if (name === 'id') return node.id;
  if (Object.hasOwn(node.fields, name)) return selectParts(node.fields[name], fields);
  const present = (child: GraphNode): Fields => selectFields(child, fields, reading);
  const nodes = node.nodes ?? {};
  if (Object.hasOwn(nodes, name)) {
    const child = nodes[name]?.(options);
    return child && present(child);
  }
  const edges = node.edges ?? {};
  if (Object.hasOwn(edges, name)) {
    const list = edges[name]?.(options) ?? [];
    const url = `${reading.base}/${node.id}/${name}`;
    // Omits an empty list, unlike an edge with its own address.
    return list.length === 0 ? undefined : pageOf(list, { parameters: options, url, token: reading.token, present });
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
