import { type Implementation, ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';
import { apiVersion } from '../../contract/api-version.ts';
import { instructions } from './instructions.ts';
import type { DocumentShelf } from './resources.ts';
import type { Tools } from './selection.ts';
import { callTool, type ToolStage } from './tool-call.ts';

const implementation: Implementation = { name: 'messaging-channels', title: 'Messaging channels', version: apiVersion };
/** Documents are the same for all clients. Tools depend on the key and the query. */
const cacheHints = {
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'resources/list': { ttlMs: 300_000, cacheScope: 'public' },
} as const;

export interface Offer {
  /** To distinguish an excluded tool from an unknown one. */
  readonly tools: Tools;
  readonly chosen: Tools;
  readonly listings: readonly Tool[];
  readonly documents: DocumentShelf;
}

/**
 * The library's high-level server would convert all schemas for each request. The tool list has no pages, because many
 * clients read only the first.
 */
export function mcpServer({ tools, chosen, listings, documents }: Offer, stage: ToolStage): Server {
  const server = new Server(implementation, { capabilities: { tools: {}, resources: {} }, instructions, cacheHints });
  server.setRequestHandler('tools/list', () => ({ tools: [...listings] }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given = {} } }) => {
    const tool = chosen.get(name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, missingTool(name, tools));
    const result = await callTool(stage, tool, given);
    return server.projectCallToolResult(result, tool.outputSchema);
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...documents.list] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => documents.read(params.uri));
  return server;
}

function missingTool(name: string, tools: Tools): string {
  if (!tools.has(name)) return `There is no tool ${name}.`;
  return `The tool ${name} is left out by the query of the URL that this client connects to (tools, readOnly).`;
}
