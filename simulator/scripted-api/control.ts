import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { parseInput, readJson, sendJson } from '../servers/http-server.ts';

/** Returns false, without answering, for unknown addresses. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** POST changes the script, DELETE resets it. Both, and GET, show the state. */
export interface ControlRoute<Change> {
  readonly path: string;
  readonly schema: z.ZodType<Change>;
  readonly apply: (change: Change) => void;
  readonly reset: () => void;
  readonly state: () => object;
}

export function createControl<Change>({ path, schema, apply, reset, state }: ControlRoute<Change>) {
  const control = (change: unknown): void => apply(parseInput(schema, change));
  const answer: Answering = async (request, response) => {
    const { method = '' } = request;
    const { pathname } = new URL(request.url ?? '/', 'http://platform');
    if (pathname !== path || !['GET', 'POST', 'DELETE'].includes(method)) return false;
    if (method === 'POST') control(await readJson(request));
    if (method === 'DELETE') reset();
    sendJson(response, 200, state());
    return true;
  };
  return { control, answer };
}
