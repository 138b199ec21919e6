import { call } from './http-call.ts';

/** A process that answers nothing for so long is blocked: a healthy one answers within milliseconds, a busy machine within seconds. */
const STALL_MS = 10_000;
const PAUSE_MS = 20;

/** Makes the attempt while asking for `/healthz` again and again; returns a problem if one answer took too long. */
export async function withHealthWatched(
  { url, patience = 1 }: { readonly url: string; readonly patience?: number | undefined },
  attempt: () => Promise<string | undefined>,
): Promise<string | undefined> {
  let isOver = false;
  const watch = async (): Promise<string | undefined> => {
    let longestMs = 0;
    do {
      const askedAtMs = performance.now();
      const { status } = await call(url, 'GET /healthz');
      if (status !== 200) return `/healthz answers ${status} meanwhile.`;
      longestMs = Math.max(longestMs, performance.now() - askedAtMs);
      if (longestMs > STALL_MS * patience) return `/healthz took ${Math.round(longestMs)} ms meanwhile.`;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (!isOver);
    return undefined;
  };
  const [what, stalled] = await Promise.all([attempt().finally(() => (isOver = true)), watch()]);
  return what ?? stalled;
}
