import { setTimeout as sleep } from 'node:timers/promises';

export interface GatewayCalls {
  /** Answers by status; `none` for no answer. */
  readonly counts: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const PACE_MS = 100;

/** Calls the platform through the gateway at a steady pace, one connection for each call. */
export function startGatewayCalls({ url, token }: { readonly url: string; readonly token: string }): GatewayCalls {
  const counts = new Map<string, number>();
  let hasEnded = false;
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  const done = (async () => {
    while (!hasEnded) {
      const status = await fetch(url, { headers }).then(
        async (response) => {
          await response.arrayBuffer();
          return String(response.status);
        },
        () => 'none',
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
      await sleep(PACE_MS);
    }
  })();
  return {
    counts,
    async stop() {
      hasEnded = true;
      await done;
    },
  };
}
