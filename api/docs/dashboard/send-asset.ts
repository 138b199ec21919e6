import type { ApiContext } from '../../requests/state.ts';

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: 'br' | 'gzip' | null;
  readonly etag: string;
}

/** Answers 304 to a browser that has the same file. */
export function sendAsset(ctx: ApiContext, { body, encoding, etag }: EncodedBody): void {
  ctx.set('etag', etag);
  ctx.vary('accept-encoding');
  if (encoding) ctx.set('content-encoding', encoding);
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}
