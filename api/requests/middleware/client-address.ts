import type { Middleware } from 'koa';
import { clientAddressOf } from '../../../process/client-address.ts';
import type { ApiState } from '../state.ts';

/** Sets `ctx.ip` as the gateway and the listener of webhooks do. */
export function clientAddress({ trustProxy }: { readonly trustProxy: boolean }): Middleware<ApiState> {
  return (ctx, next) => {
    ctx.request.ip = clientAddressOf(ctx.req, trustProxy);
    return next();
  };
}
