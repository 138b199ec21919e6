import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { InvalidRequest, MalformedJson } from '../requests/errors.ts';
import { readJsonBody } from '../requests/json-body.ts';
import type { Mount } from '../routing/operation.ts';
import { goneSignal } from '../routing/operation-call.ts';
import type { ApiContext } from '../requests/state.ts';
import { authenticateMcp, countRequest } from './authenticate.ts';
import { refuseForeignAddresses } from './own-addresses.ts';
import { documentShelf } from './resources.ts';
import { listingsFor, type Selection, selectTools } from './selection.ts';
import { mcpServer, type Offer } from './server.ts';
import { everyTool } from './tools.ts';

/**
 * Mounts the operations as Model Context Protocol tools over Streamable HTTP. The server is stateless, so it refuses
 * the session methods GET and DELETE.
 */
export function mountMcp({ router, deps, operations }: Mount): void {
  let documents: Offer['documents'] | undefined;

  router.post('/mcp', async (ctx) => {
    ctx.set('cache-control', 'no-store');
    refuseForeignAddresses(ctx, deps);
    const principal = await authenticateMcp(ctx, deps);
    const tools = everyTool();
    documents ??= documentShelf(deps);
    const selection = selectTools(tools, { ...ctx.query });
    const parsedBody = await readJsonBody(ctx, deps);
    if (parsedBody === undefined) throw new MalformedJson('The body is empty. Send a message of the protocol.');
    if (Array.isArray(parsedBody) && parsedBody.length > MAX_MESSAGES) {
      await countRequest(ctx, deps, principal);
      throw new InvalidRequest(`A request takes at most ${MAX_MESSAGES} messages.`);
    }
    for (let left = uncountedMessages(parsedBody, selection); left > 0; left--) {
      await countRequest(ctx, deps, principal);
    }
    const offer: Offer = { tools, documents, chosen: selection.chosen, listings: listingsFor(selection, principal) };
    const { fetch } = createMcpHandler(() => mcpServer(offer, { ctx, deps, operations }), {
      maxSubscriptions: 0, // resources never change
      onerror: (error) => deps.log.debug('mcpRequest.rejected', { requestId: ctx.state.requestId, error }),
    });
    answer(ctx, await fetch(webRequest(ctx, deps.baseUrl), { parsedBody }));
  });
}

/** The library's limit. A body could contain hundreds of thousands of messages. */
const MAX_MESSAGES = 100;

const toolCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

/** Tool calls are counted separately, so that each gets its own refusal. */
function uncountedMessages(body: unknown, { chosen }: Selection): number {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const isCall = (message: unknown) => chosen.has(toolCall.safeParse(message).data?.params.name ?? '');
  return messages.filter((message) => !isCall(message)).length;
}

function webRequest(ctx: ApiContext, baseUrl: string): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(ctx.req.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal: goneSignal(ctx) });
}

function answer(ctx: ApiContext, response: Response): void {
  if (response.body) {
    ctx.body = response;
    return;
  }
  ctx.body = null;
  ctx.status = response.status; // Koa sets 204 for an empty body
}
