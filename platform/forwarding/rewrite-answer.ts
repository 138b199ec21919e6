import {
  ABSENT,
  child,
  elementsOf,
  idText,
  isKey,
  isObject,
  isTrue,
  keysOf,
  valueOfKey,
} from '../../contract/envelope/json-node.ts';
import { jsonKind, type JsonTape, scanJson, STRIDE } from '../../contract/envelope/json-tape.ts';
import { chatappWordField, neutralChatappWord } from '../client/chatapp-word.ts';
import { classifyParameter } from '../ownership/parameters.ts';

/**
 * Rewrites single strings of a response and keeps all other bytes, which preserves numbers beyond 2^53 and the
 * platform's escapes.
 */
export interface AnswerRewriting {
  /** The credential and values derived from it. */
  readonly secrets: readonly string[];
  /** `host` or `host:port`. URLs on these hosts are rewritten to the gateway. */
  readonly hosts: ReadonlySet<string>;
  readonly gatewayUrl: string;
  readonly version: string;
  /** Fields of the outermost object whose URLs `sealAddress` replaces. */
  readonly addressFields: readonly string[];
  readonly sealAddress: (url: string) => string;
  /** Optional. The platform's word for the product, which becomes the neutral one. Default: kept. */
  readonly chatappWord?: string;
}

export interface RewrittenAnswer {
  readonly bytes: Buffer;
  readonly json: JsonTape | undefined;
}

const REMOVED = '[removed]';
const SECRET_PARAMETER = /(access_token|appsecret_proof)(=|%3D)[^&\s"'<>#\\]*/gi;

export function rewriteAnswer(bytes: Buffer, rewriting: AnswerRewriting): RewrittenAnswer {
  const json = bytes.length === 0 ? undefined : scanJson(bytes);
  if (json === undefined || 'faultAtByte' in json) {
    return { bytes: cleanBytes(bytes, rewriting), json: undefined };
  }
  return { bytes: removeRemainingSecrets(spliced(json, rewriting), rewriting), json };
}

function cleanBytes(bytes: Buffer, rewriting: AnswerRewriting): Buffer {
  const text = bytes.toString('latin1');
  const clean = withoutSecrets(text, rewriting).replace(SECRET_PARAMETER, `$1$2${REMOVED}`);
  return clean === text ? bytes : Buffer.from(clean, 'latin1');
}

function spliced(json: JsonTape, rewriting: AnswerRewriting): Buffer {
  const { bytes, cells } = json;
  const addresses = addressKeys(json, rewriting);
  const parts: Uint8Array[] = [];
  let from = 0;
  const replace = (node: number, text: string): void => {
    parts.push(bytes.subarray(from, cells[node + 1]), Buffer.from(text));
    from = cells[node + 2]!;
  };
  for (let node = 0; node < cells.length; node += STRIDE) {
    if (cells[node] === jsonKind.key && isTokenKey(json, node)) {
      replace(valueOfKey(node), `"${REMOVED}"`);
      // Skips the value.
      node = cells[valueOfKey(node) + 3]! - STRIDE;
    } else if (cells[node] === jsonKind.key && namesProduct(json, node, rewriting)) {
      replace(valueOfKey(node), JSON.stringify(neutralChatappWord));
      node += STRIDE;
    } else if (cells[node] === jsonKind.string) {
      const text = stringOf(json, node);
      const changed = addresses.has(node - STRIDE) ? sealed(text, rewriting) : rewrittenText(text, rewriting);
      if (changed !== text) replace(node, JSON.stringify(changed));
    }
  }
  if (from === 0) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

function namesProduct(json: JsonTape, key: number, { chatappWord }: AnswerRewriting): boolean {
  if (chatappWord === undefined || !isKey(json, key, chatappWordField)) return false;
  const value = valueOfKey(key);
  return json.cells[value] === jsonKind.string && stringOf(json, value) === chatappWord;
}

function isTokenKey(json: JsonTape, key: number): boolean {
  return isKey(json, key, 'access_token') || isKey(json, key, 'appsecret_proof') || isKey(json, key, 'client_secret');
}

function addressKeys(json: JsonTape, { addressFields }: AnswerRewriting): ReadonlySet<number> {
  if (addressFields.length === 0) return new Set();
  return new Set(keysOf(json, 0).filter((key) => addressFields.some((name) => isKey(json, key, name))));
}

function sealed(text: string, { sealAddress }: AnswerRewriting): string {
  return /^https?:\/\//i.test(text) ? sealAddress(text) : REMOVED;
}

function rewrittenText(text: string, rewriting: AnswerRewriting): string {
  const address = /^https?:\/\//i.test(text) ? gatewayAddress(text, rewriting) : text;
  const clean = withoutSecrets(address, rewriting);
  return /access_token|appsecret_proof/i.test(clean) ? clean.replace(SECRET_PARAMETER, `$1$2${REMOVED}`) : clean;
}

/** Longer than any URL that the gateway accepts. */
const MAX_ADDRESS_LENGTH = 32 * 1024;

/** Also removes credentials from the query. */
function gatewayAddress(text: string, { hosts, gatewayUrl, version }: AnswerRewriting): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !hosts.has(url.host)) return text;
  if (text.length > MAX_ADDRESS_LENGTH) return REMOVED;
  const parameters = [...url.searchParams];
  const kept = parameters.filter(([name]) => classifyParameter(name) !== 'credential');
  // Each deletion by name would serialize the whole query.
  if (kept.length < parameters.length) url.search = new URLSearchParams(kept).toString();
  const path = /^\/v\d+\.\d+(?:\/|$)/.test(url.pathname) ? url.pathname : `/${version}${url.pathname}`;
  return `${gatewayUrl}/platform${path}${url.search}`;
}

function withoutSecrets(text: string, { secrets }: AnswerRewriting): string {
  return secrets.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, REMOVED) : rest), text);
}

/** Removes secrets from field names, which are not rewritten. */
function removeRemainingSecrets(bytes: Buffer, rewriting: AnswerRewriting): Buffer {
  return rewriting.secrets.some((secret) => bytes.includes(secret)) ? cleanBytes(bytes, rewriting) : bytes;
}

function stringOf({ bytes, cells }: JsonTape, node: number): string {
  const start = cells[node + 1]!;
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, cells[node + 2]! - start);
  return raw.includes(0x5c) ? String(JSON.parse(raw.toString())) : raw.toString('utf8', 1, raw.length - 1);
}

export interface RefusalCodes {
  readonly code: number;
  readonly subcode: number | null;
  readonly isTransient: boolean;
  readonly text: string;
}

export function refusalCodes(json: JsonTape | undefined): RefusalCodes | undefined {
  if (!json || !isObject(json, 0)) return undefined;
  const error = child(json, 0, 'error');
  const code = idText(json, error === ABSENT ? ABSENT : child(json, error, 'code'));
  if (code === null || !/^-?\d{1,9}$/.test(code)) return undefined;
  const subcode = idText(json, child(json, error, 'error_subcode'));
  const transient = child(json, error, 'is_transient');
  return {
    code: Number(code),
    subcode: subcode !== null && /^\d{1,9}$/.test(subcode) ? Number(subcode) : null,
    isTransient: transient !== ABSENT && isTrue(json, transient),
    text: subcode === null ? code : `${code}/${subcode}`,
  };
}

export function idsOfEdge(json: JsonTape): string[] {
  if (!isObject(json, 0)) return [];
  const made = ['id', 'post_id', 'video_id'].map((name) => idText(json, child(json, 0, name)));
  const listed = elementsOf(json, child(json, 0, 'data')).map((item) => idText(json, child(json, item, 'id')));
  return [...made, ...listed].filter((id) => id !== null);
}
