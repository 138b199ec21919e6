import type { ServerResponse } from 'node:http';
import type { ExecutionContext } from 'ava';
import { eventually } from '../harness/eventually.ts';
import { httpServer } from './test-server.ts';

export interface HoldingServer {
  urlOf(path: string): string;
  /** The paths of all requests so far, in the order of their arrival. */
  readonly arrived: readonly string[];
  heldCount(): number;
  answer(path: string): Promise<void>;
  /** Answers everything from now on. */
  letGo(): void;
}

/** Answers a request when the test says so. */
export async function holdingServer(t: ExecutionContext): Promise<HoldingServer> {
  const arrived: string[] = [];
  const held: { readonly path: string; readonly response: ServerResponse }[] = [];
  let isOpen = false;
  const server = await httpServer(t, (request, response) => {
    const path = request.url ?? '';
    arrived.push(path);
    if (isOpen) response.end('ok');
    else held.push({ path, response });
  });
  return {
    urlOf: (path) => new URL(path, server.url).href,
    arrived,
    heldCount: () => held.length,
    async answer(path) {
      const at = await eventually(() => {
        const index = held.findIndex((request) => request.path === path);
        return index >= 0 && { index };
      });
      held.splice(at.index, 1)[0]?.response.end('ok');
    },
    letGo() {
      isOpen = true;
      for (const { response } of held.splice(0)) response.end('ok');
    },
  };
}
