import type { Call } from './call.ts';
import type { GatewayDeps } from './deps.ts';

/** Returns false for all other requests. */
export async function answerHealth(
  { request, response }: Call,
  { path, channels, isStopping }: Pick<GatewayDeps, 'channels' | 'isStopping'> & { readonly path: string },
): Promise<boolean> {
  if (request.method !== 'GET' || (path !== '/healthz' && path !== '/readyz')) return false;
  const isReady = path === '/healthz' || (!isStopping() && (await channels.isReachable()));
  const status = path === '/healthz' ? 'ok' : isReady ? 'ready' : 'not_ready';
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ status }));
  return true;
}
