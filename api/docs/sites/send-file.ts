import type Router from '@koa/router';
import { RouteNotFound } from '../../requests/errors.ts';
import type { ApiContext, ApiState } from '../../requests/state.ts';
import type { EncodedBody } from './compress.ts';
import type { SiteFile, SiteFiles } from './site-files.ts';

/** Answers 304 to a browser that has the same body. Koa never finds an error answer fresh. */
export function sendEncoded(ctx: ApiContext, { body, encoding, etag }: EncodedBody, status = 200): void {
  ctx.set('etag', etag);
  ctx.vary('accept-encoding');
  if (encoding) ctx.set('content-encoding', encoding);
  ctx.status = status;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}

export function sendFile(ctx: ApiContext, file: SiteFile, status = 200): void {
  ctx.set('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'public, no-cache');
  ctx.type = file.type;
  sendEncoded(ctx, file, status);
}

/** Serves the scripts, styles and icons of a site below `prefix`. */
export function mountAssets(router: Router<ApiState>, prefix: string, files: SiteFiles): void {
  router.get(`${prefix}/:name`, async (ctx) => {
    const asset = await files.asset(ctx.params.name ?? '', (encoding) => Boolean(ctx.acceptsEncodings(encoding)));
    if (!asset) throw new RouteNotFound();
    sendFile(ctx, asset);
  });
}
