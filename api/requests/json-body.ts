import { koaBody } from 'koa-body';
import { hasBody } from '../../process/lingering-close.ts';
import { onceClosed } from '../../process/once-closed.ts';
import type { ApiDeps } from './deps.ts';
import { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from './errors.ts';
import { BodyAborted } from './read-bytes.ts';
import type { ApiContext } from './state.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_OPEN_BYTES = 64 * 1024;

type Needs = Pick<ApiDeps, 'bodies'>;

interface JsonReading {
  readonly maxBytes: number;
  readonly parse: ReturnType<typeof koaBody>;
  /** Set without a credential: such bodies share a budget per address. */
  readonly ip?: string;
}

const parse = parserOf(MAX_BYTES);
const parseOpen = parserOf(MAX_OPEN_BYTES);

/** Returns undefined without a body. */
export async function readJsonBody(ctx: ApiContext, deps: Needs): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_BYTES, parse });
}

export async function readOpenJsonBody(ctx: ApiContext, deps: Needs): Promise<unknown> {
  return await readJson(ctx, deps, { maxBytes: MAX_OPEN_BYTES, parse: parseOpen, ip: ctx.ip });
}

async function readJson(ctx: ApiContext, { bodies }: Needs, reading: JsonReading): Promise<unknown> {
  if (!hasBody(ctx.req)) return undefined;
  if (ctx.request.is('application/json', '+json') === false) throw new UnsupportedMediaType();
  // A compressed body can expand a thousandfold.
  if (!['', 'identity'].includes(ctx.get('content-encoding').toLowerCase())) throw new UnsupportedMediaType();
  const reservation = bodies.open(reading.ip);
  onceClosed(ctx.res, () => reservation.release());
  if (ctx.state.owner) reservation.charge(ctx.state.owner);
  if (!reservation.grow(announcedBytes(ctx, reading))) throw reservation.refusal();
  await reading.parse(ctx, () => Promise.resolve());
  return ctx.request.body;
}

function announcedBytes(ctx: ApiContext, { maxBytes }: JsonReading): number {
  const length = ctx.get('content-length');
  if (Number(length) > maxBytes) throw new PayloadTooLarge(maxBytes);
  return length === '' ? maxBytes : Number(length);
}

function parserOf(maxBytes: number): ReturnType<typeof koaBody> {
  return koaBody({
    jsonLimit: maxBytes,
    // The schema explains better what is wrong with a scalar.
    jsonStrict: false,
    json: true,
    urlencoded: false,
    text: false,
    multipart: false,
    onError: (error) => {
      throw bodyError(error, maxBytes);
    },
  });
}

function bodyError(error: Error, maxBytes: number): Error {
  if ('code' in error && error.code === 'ECONNABORTED') return new BodyAborted();
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return new PayloadTooLarge(maxBytes);
  return status === 415 ? new UnsupportedMediaType() : new MalformedJson();
}
