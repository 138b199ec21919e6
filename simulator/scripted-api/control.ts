import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { parseInput, readJson, sendJson } from '../servers/http-server.ts';

/** Returns false, without answering, for unknown addresses. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** POST changes the script, DELETE resets it, GET shows everything. */
interface ControlRoute<Change, Made extends object | void> {
  readonly path: string;
  readonly schema: z.ZodType<Change>;
  readonly apply: (change: Change) => Made;
  readonly reset: () => void;
  readonly state: () => object;
  readonly contents: () => object;
}

export interface Control<Made> {
  readonly control: (change: unknown) => Made;
  readonly answer: Answering;
}

export function createControl<Change, Made extends object | void>(route: ControlRoute<Change, Made>): Control<Made> {
  const control = (change: unknown): Made => route.apply(parseInput(route.schema, change));

  async function contentsAfter(request: IncomingMessage): Promise<object | undefined | void> {
    if (request.method === 'GET') return route.contents();
    if (request.method === 'DELETE') return route.reset();
    return control(await readJson(request));
  }

  return {
    control,
    async answer(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://platform');
      if (pathname !== route.path || !methods.includes(request.method ?? '')) return false;
      const more = await contentsAfter(request);
      sendJson(response, 200, { ...route.state(), ...more });
      return true;
    },
  };
}

const methods = ['GET', 'POST', 'DELETE'];
