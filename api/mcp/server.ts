import { type Implementation, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { instructions } from './instructions.ts';
import type { DocumentShelf } from './resources.ts';
import { callTool, type ToolStage } from './tool-call.ts';
import type { ToolDefinition } from './tools.ts';

const implementation: Implementation = { name: 'messaging-channels', title: 'Messaging channels', version: '1.0.0' };
/** The lists are the same for everybody until a new version is started. */
const cacheHint = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** What the server offers, made once and the same for each request. */
export interface Offer {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly documents: DocumentShelf;
}

/**
 * The server of one request. It is the plain one of the library: its convenient one takes schemas instead of JSON Schema,
 * and would turn a hundred of them into JSON Schema again for each request.
 */
export function mcpServer({ tools, documents }: Offer, stage: ToolStage): Server {
  const server = new Server(implementation, {
    capabilities: { tools: {}, resources: {} },
    instructions,
    cacheHints: { 'tools/list': cacheHint, 'resources/list': cacheHint },
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ listing }) => listing) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.get(params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const result = await callTool(stage, tool, params.arguments ?? {});
    return server.projectCallToolResult(result, tool.listing.outputSchema);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...documents.list] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => documents.read(params.uri));
  return server;
}
