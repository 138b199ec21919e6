import { elementsOf, idText, isContainer, isKey, isNull, isObject, keysOf, valueOfKey } from '../contract/json-node.ts';
import { type JsonTape, scanJson } from '../contract/json-tape.ts';
import { fieldsProblem, judgeParameter, plainName, referencePaths } from './ownership-parameters.ts';

/** What the parameters of a call say, wherever they stand. */
export type ParameterReading =
  | { readonly ok: true; readonly ids: readonly string[]; readonly fields: readonly string[] }
  | { readonly ok: false; readonly because: 'credential' }
  | { readonly ok: false; readonly because: 'refused'; readonly text: string };

type Path = readonly string[];

/** JSON within JSON within JSON is more than any client of the platform sends. */
const MAX_NESTING = 3;

/** Reads the parameters of a query or a form: their names, the fields asked for, and the ids of other objects. */
export function readFormParameters(parameters: URLSearchParams): ParameterReading {
  const ids: string[] = [];
  const fields: string[] = [];
  for (const [name, value] of parameters) {
    const problem = problemOf(name, value);
    if (problem) return problem;
    if (isFieldList(name)) fields.push(value);
    for (const path of pathsBelow(pathOfName(name))) {
      if (path) collectText(value, { path, ids, nesting: 0 });
      else ids.push('');
    }
  }
  return { ok: true, ids, fields };
}

/** The same of a JSON object. */
export function readJsonParameters(json: JsonTape): ParameterReading {
  if (!isObject(json, 0)) return { ok: false, because: 'refused', text: 'A JSON body must be an object.' };
  const keys = keysOf(json, 0);
  for (const key of keys) {
    const problem = problemOf(textOf(json, key), textOf(json, valueOfKey(key)));
    if (problem) return problem;
  }
  const fields = keys.filter((key) => isFieldList(textOf(json, key))).map((key) => textOf(json, valueOfKey(key)));
  const ids: string[] = [];
  for (const key of keys) {
    for (const path of pathsBelow(pathOfName(textOf(json, key)))) {
      if (path) collect(json, valueOfKey(key), { path, ids, nesting: 0 });
      else ids.push('');
    }
  }
  return { ok: true, ids, fields };
}

function isFieldList(name: string): boolean {
  return plainName(name) === 'fields';
}

function problemOf(name: string, value: string): Exclude<ParameterReading, { ok: true }> | undefined {
  const verdict = judgeParameter(name);
  if (verdict === 'credential') return { ok: false, because: 'credential' };
  if (verdict === 'refused') {
    return { ok: false, because: 'refused', text: `The parameter ${plainName(name)} is not taken here.` };
  }
  const problem = isFieldList(name) ? fieldsProblem(value) : undefined;
  return problem === undefined ? undefined : { ok: false, because: 'refused', text: `Not taken here: ${problem}.` };
}

interface Collecting {
  readonly path: Path;
  readonly ids: string[];
  readonly nesting: number;
}

/** All values at a path, those of repeated names included: readers differ in which one counts. */
function collect(json: JsonTape, node: number, { path, ids, nesting }: Collecting): void {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (isNull(json, node)) return;
    ids.push(...(isContainer(json, node) ? [''] : [idText(json, node) ?? '']));
    return;
  }
  const next = { path: rest, ids, nesting };
  if (!isContainer(json, node)) return collectText(textOf(json, node), { path, ids, nesting });
  if (name === '*') {
    for (const element of elementsOf(json, node)) collect(json, element, next);
    for (const key of keysOf(json, node)) collect(json, valueOfKey(key), next);
    return;
  }
  for (const key of keysOf(json, node)) if (isKey(json, key, name)) collect(json, valueOfKey(key), next);
}

/** A value as text: an id, ids with commas between them, or JSON in its turn. */
function collectText(text: string, { path, ids, nesting }: Collecting): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  if (path.length === 0) return void ids.push(trimmed);
  if (/^[[{]/.test(trimmed)) {
    const json = scanJson(Buffer.from(trimmed));
    // What can't be read can't be judged: an id that nobody has; unless it is a text without the name.
    if ('faultAtByte' in json && !couldName(trimmed, path)) return;
    if ('faultAtByte' in json || nesting >= MAX_NESTING) return void ids.push('');
    return collect(json, 0, { path, ids, nesting: nesting + 1 });
  }
  if (path.length === 1 && path[0] === '*') ids.push(...trimmed.split(',').map((id) => id.trim()));
}

/** `recipient[comment_id]` is the path recipient, comment_id. */
function pathOfName(name: string): Path {
  const inner = [...name.matchAll(/\[([^\]]*)\]?/g)].map(([, key = '']) => key);
  return [plainName(name), ...inner];
}

/** What is left of each wanted path below the given one; undefined where that leads into an id, as `post_id[0]` does. */
function pathsBelow(given: Path): (Path | undefined)[] {
  return referencePaths
    .filter((wanted) => wanted.every((name, at) => at >= given.length || name === given[at] || name === '*'))
    .map((wanted) => (given.length > wanted.length ? undefined : wanted.slice(given.length)));
}

/** Whether a lenient reader of nearly JSON could find the last name of a path in a text. */
function couldName(text: string, path: Path): boolean {
  const name = path.findLast((each) => each !== '*');
  return name === undefined || text.includes('\\') || new RegExp(`\\b${name}\\b`, 'i').test(text);
}

/** A string's text or a scalar as it stands; the whole text of anything else. */
function textOf(json: JsonTape, node: number): string {
  const text = Buffer.from(json.bytes.subarray(json.cells[node + 1], json.cells[node + 2])).toString();
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
