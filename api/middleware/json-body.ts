import { addressBlock } from '../../contract/addresses.ts';
import { hasBody } from '../../lingering-close.ts';
import type { ApiDeps } from '../deps.ts';
import { MalformedJson, UnsupportedMediaType } from '../errors.ts';
import { readBytes } from '../read-bytes.ts';
import type { ApiContext } from '../state.ts';

const MAX_BYTES = 1024 * 1024;
/** Open routes take a code, an address or a name; whoever sends those has shown no credential. */
const MAX_OPEN_BYTES = 64 * 1024;
/** A key that some code takes for the prototype of its object, in any spelling; text that ends before it has a backslash there. */
const PROTOTYPE_KEY =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i;

/** The parsed JSON body of a request whose credential was checked; undefined where the request has none. */
export async function readJsonBody(ctx: ApiContext, deps: Pick<ApiDeps, 'bodies'>): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_BYTES });
}

/** The parsed JSON body of a request that needs no credential; undefined where the request has none. */
export async function readOpenJsonBody(ctx: ApiContext, deps: Pick<ApiDeps, 'bodies'>): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_OPEN_BYTES, address: addressBlock(ctx.ip) });
}

interface JsonReading {
  readonly maxBytes: number;
  readonly address?: string;
}

async function readJson(ctx: ApiContext, { bodies }: Pick<ApiDeps, 'bodies'>, { maxBytes, address }: JsonReading) {
  if (!hasBody(ctx.req)) return undefined;
  if (ctx.request.is('application/json', '+json') === false) throw new UnsupportedMediaType();
  // Compressed bodies could be a thousand times larger than they count.
  if (ctx.get('content-encoding').toLowerCase() !== 'identity' && ctx.get('content-encoding') !== '')
    throw new UnsupportedMediaType();
  const reservation = bodies.open(address);
  ctx.res.once('close', () => reservation.release());
  const bytes = await readBytes(ctx, { maxBytes, reservation });
  return bytes.length === 0 ? undefined : parse(bytes.toString('utf8'));
}

function parse(text: string): unknown {
  if (PROTOTYPE_KEY.test(text)) throw new MalformedJson();
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedJson();
  }
}
