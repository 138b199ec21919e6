const inFlight = new Set<readonly Request[]>();
const requestsOf = new WeakMap<Response, readonly Request[]>();

/**
 * Sends a request that `signal` can abort in addition to its own signal. Keeps both requests in memory until the
 * response is collected: Node holds the signals of a request weakly, and an abort does not reach a request that was
 * collected (https://github.com/nodejs/undici/issues/3644). Once that is fixed, `new Request(request, { signal })` is
 * enough.
 */
export async function sendAbortable(
  send: (request: Request) => Promise<Response>,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  const abortable = new Request(request, { signal: AbortSignal.any([request.signal, signal]) });
  const requests = [request, abortable];
  inFlight.add(requests);
  try {
    const response = await send(abortable);
    requestsOf.set(response, requests);
    return response;
  } finally {
    inFlight.delete(requests);
  }
}
