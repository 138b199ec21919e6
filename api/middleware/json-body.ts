import { koaBody } from 'koa-body';
import { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from '../errors.ts';
import type { ApiContext } from '../state.ts';

const LIMIT_BYTES = 1024 * 1024;

const parse = koaBody({
  jsonLimit: LIMIT_BYTES,
  // Scalars are well-formed JSON too: the schema says what is wrong with them.
  jsonStrict: false,
  json: true,
  urlencoded: false,
  text: false,
  multipart: false,
  onError: refuseBody,
});

/** The parsed JSON body; undefined where the request has none. */
export async function readJsonBody(ctx: ApiContext): Promise<unknown> {
  const hasBody = ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0;
  if (!hasBody) return undefined;
  if (ctx.request.is('application/json', '+json') === false) throw new UnsupportedMediaType();
  await parse(ctx, () => Promise.resolve());
  return ctx.request.body;
}

function refuseBody(error: Error): never {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) throw new PayloadTooLarge(LIMIT_BYTES);
  if (status === 415) throw new UnsupportedMediaType();
  throw new MalformedJson();
}
