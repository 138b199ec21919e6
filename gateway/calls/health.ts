import type { Call } from './call.ts';
import type { GatewayDeps } from './deps.ts';

/** Returns false for all other requests. The gateway does not call Temporal, so its readiness names the database only. */
export async function answerHealth(
  { request, response }: Call,
  { path, channels, isStopping }: Pick<GatewayDeps, 'channels' | 'isStopping'> & { readonly path: string },
): Promise<boolean> {
  if (request.method !== 'GET' || (path !== '/healthz' && path !== '/readyz')) return false;
  if (path === '/healthz') return answer(response, { isGood: true, body: { status: 'ok' } });
  const database = await channels.schemaState();
  const isReady = database === 'ok' && !isStopping();
  return answer(response, { isGood: isReady, body: { status: isReady ? 'ready' : 'not_ready', database } });
}

function answer(response: Call['response'], { isGood, body }: { isGood: boolean; body: object }): true {
  response.writeHead(isGood ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
  return true;
}
