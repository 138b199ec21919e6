import { hasTooManyValues, tooManyValuesText } from '../../contract/envelope/json-values.ts';
import { hasBody } from '../../process/lingering-close.ts';
import { onceClosed } from '../../process/once-closed.ts';
import type { ApiDeps } from './deps.ts';
import { InvalidRequest, MalformedJson, UnsupportedMediaType } from './errors.ts';
import { readBytes } from './read-bytes.ts';
import type { ApiContext } from './state.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_OPEN_BYTES = 64 * 1024;

type Needs = Pick<ApiDeps, 'bodies'>;

interface JsonReading {
  readonly maxBytes: number;
  /** Set without a credential: such bodies share a budget per address. */
  readonly ip?: string;
}

/** Returns undefined without a body. */
export async function readJsonBody(ctx: ApiContext, deps: Needs): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_BYTES });
}

export async function readOpenJsonBody(ctx: ApiContext, deps: Needs): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_OPEN_BYTES, ip: ctx.ip });
}

async function readJson(ctx: ApiContext, { bodies }: Needs, { maxBytes, ip }: JsonReading): Promise<unknown> {
  if (!hasBody(ctx.req)) return undefined;
  if (ctx.request.is('application/json', '+json') === false) throw new UnsupportedMediaType();
  // A compressed body can expand a thousandfold.
  if (!['', 'identity'].includes(ctx.get('content-encoding').toLowerCase())) throw new UnsupportedMediaType();
  if (!['', 'utf-8', 'utf8'].includes(ctx.request.charset.toLowerCase())) throw new UnsupportedMediaType();
  const reservation = bodies.open(ip);
  onceClosed(ctx.res, () => reservation.release());
  if (ctx.state.owner) reservation.charge(ctx.state.owner);
  const bytes = await readBytes(ctx, { maxBytes, reservation });
  if (hasTooManyValues(bytes)) throw new InvalidRequest(tooManyValuesText);
  return parse(bytes);
}

const decoder = new TextDecoder();

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new MalformedJson();
  }
}
