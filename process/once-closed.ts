import type { ServerResponse } from 'node:http';

const acts = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls `act` when the response is complete or its connection is lost, at once if that is past. All acts of a response
 * share one listener: logs, metrics, traces and a streamed body would exceed the ten listeners above which Node reports a
 * leak.
 */
export function onceClosed(response: ServerResponse, act: () => void): void {
  if (response.closed) return act();
  const earlier = acts.get(response);
  if (earlier) return void earlier.push(act);
  const all = [act];
  acts.set(response, all);
  response.once('close', () => {
    for (const each of all) each();
  });
}
