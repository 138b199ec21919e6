import {
  elementsOf,
  idText,
  isContainer,
  isNull,
  isObject,
  keysOf,
  valueOfKey,
} from '../../contract/envelope/json-node.ts';
import { jsonKind, type JsonTape, scanJson } from '../../contract/envelope/json-tape.ts';
import { hasTooManyValues } from '../../contract/envelope/json-values.ts';
import { fieldsProblem } from './fields.ts';
import { classifyParameter, MAX_NAME_LENGTH, plainName } from './parameters.ts';
import { couldName, nodesOfName, type PathNode, step, stepIntoList } from './reference-paths.ts';

export type ParameterReading =
  | { readonly ok: true; readonly ids: readonly string[]; readonly fields: readonly string[] }
  | { readonly ok: false; readonly because: 'credential' }
  | { readonly ok: false; readonly because: 'refused'; readonly text: string };

type Problem = Exclude<ParameterReading, { ok: true }>;

/** More than any call of the platform takes. */
const MAX_PARAMETERS = 500;
/** Deeper than any client nests JSON in JSON strings. */
const MAX_NESTING = 3;

export function readFormParameters(form: string): ParameterReading {
  if (hasTooManyParameters(form)) return tooMany();
  const ids: string[] = [];
  const fields: string[] = [];
  for (const [name, value] of new URLSearchParams(form)) {
    const problem = problemOf(name, () => value);
    if (problem) return problem;
    if (isFieldList(name)) fields.push(value);
    const nodes = nodesOfName(partsOf(name));
    if (nodes === null) ids.push('');
    else collectText(value, { nodes, ids, nesting: 0 });
  }
  return { ok: true, ids, fields };
}

export function readJsonParameters(json: JsonTape): ParameterReading {
  if (!isObject(json, 0)) return { ok: false, because: 'refused', text: 'A JSON body must be an object.' };
  const keys = keysOf(json, 0);
  if (keys.length > MAX_PARAMETERS) return tooMany();
  const ids: string[] = [];
  const fields: string[] = [];
  for (const key of keys) {
    const name = textOf(json, key);
    const value = valueOfKey(key);
    const problem = problemOf(name, () => textOf(json, value));
    if (problem) return problem;
    if (isFieldList(name)) fields.push(textOf(json, value));
    const nodes = nodesOfName(partsOf(name));
    if (nodes === null) ids.push('');
    else collect(json, value, { nodes, ids, nesting: 0 });
  }
  return { ok: true, ids, fields };
}

function isFieldList(name: string): boolean {
  return plainName(name) === 'fields';
}

/** Counts before decoding, to bound the cost. */
function hasTooManyParameters(form: string): boolean {
  let count = 1;
  for (let at = form.indexOf('&'); at >= 0 && count <= MAX_PARAMETERS; at = form.indexOf('&', at + 1)) count++;
  return count > MAX_PARAMETERS;
}

function tooMany(): Problem {
  return {
    ok: false,
    because: 'refused',
    text: `The call has too many parameters. Send at most ${MAX_PARAMETERS} parameters.`,
  };
}

function problemOf(name: string, value: () => string): Problem | undefined {
  const verdict = classifyParameter(name);
  if (verdict === 'credential') return { ok: false, because: 'credential' };
  if (verdict === 'refused') {
    const what =
      name.length > MAX_NAME_LENGTH ? `with a name longer than ${MAX_NAME_LENGTH} characters` : plainName(name);
    return { ok: false, because: 'refused', text: `The parameter ${what} is not allowed. Remove it.` };
  }
  const problem = isFieldList(name) ? fieldsProblem(value()) : undefined;
  return problem === undefined
    ? undefined
    : { ok: false, because: 'refused', text: `Invalid fields parameter: ${problem}.` };
}

interface Collecting {
  readonly nodes: readonly PathNode[];
  readonly ids: string[];
  readonly nesting: number;
}

/** Includes repeated names, because parsers differ in which one counts. */
function collect(json: JsonTape, node: number, { nodes, ids, nesting }: Collecting): void {
  if (nodes.length === 0) return;
  if (!isContainer(json, node)) {
    if (!isEnd(nodes)) collectText(textOf(json, node), { nodes, ids, nesting });
    else if (!isNull(json, node)) ids.push(idText(json, node) ?? '');
    return;
  }
  if (isEnd(nodes)) ids.push('');
  const listed = stepIntoList(nodes);
  for (const element of elementsOf(json, node)) {
    // Some parsers accept a list of objects in place of an object.
    const wanted = isObject(json, element) ? [...listed, ...nodes] : listed;
    collect(json, element, { nodes: wanted, ids, nesting });
  }
  for (const key of keysOf(json, node)) {
    collect(json, valueOfKey(key), { nodes: step(nodes, textOf(json, key)), ids, nesting });
  }
}

function collectText(text: string, { nodes, ids, nesting }: Collecting): void {
  if (nodes.length === 0) return;
  const trimmed = text.trim();
  if (trimmed === '') return;
  if (isEnd(nodes)) return void ids.push(trimmed);
  if (/^[[{"]/.test(trimmed)) {
    const bytes = Buffer.from(trimmed);
    // Like an unknown id.
    if (hasTooManyValues(bytes)) return void ids.push('');
    const json = scanJson(bytes);
    // Unreadable JSON counts as an unknown id, unless it cannot contain a name.
    if ('faultAtByte' in json && !couldName(trimmed, nodes)) return;
    if ('faultAtByte' in json || nesting >= MAX_NESTING) return void ids.push('');
    return collect(json, 0, { nodes, ids, nesting: nesting + 1 });
  }
  if (isEnd(stepIntoList(nodes))) for (const id of trimmed.split(',')) ids.push(id.trim());
}

function isEnd(nodes: readonly PathNode[]): boolean {
  return nodes.some((node) => node.isEnd);
}

function partsOf(name: string): string[] {
  const inner = [...name.matchAll(/\[([^\]]*)\]?/g)].map(([, key = '']) => key);
  return [plainName(name), ...inner];
}

function textOf(json: JsonTape, node: number): string {
  const kind = json.cells[node];
  const text = Buffer.from(json.bytes.subarray(json.cells[node + 1], json.cells[node + 2])).toString();
  return kind === jsonKind.string || kind === jsonKind.key ? String(JSON.parse(text)) : text;
}
