import { agentRoutes as routes } from '../../contract/routes/agent.ts';
import type { ProtectedResourceBody } from '../../contract/schemas/agent.ts';
import { scopes } from '../../contract/scopes.ts';
import { agentGuide } from '../docs/agent-guide.ts';
import { mountOpenOperation } from '../open-operation.ts';
import type { Mount } from '../operation.ts';

/** What an agent without a credential finds its way by: the metadata that a 401 points to, and the guide behind it. */
export function mountAgentDocuments(mount: Mount): void {
  const { router, deps } = mount;
  const { baseUrl, emailCodes } = deps;

  mountOpenOperation(mount, routes.getProtectedResource, () => Promise.resolve(metadataOf(baseUrl)));
  mountOpenOperation(mount, routes.getProtectedResourceOfMcp, () => Promise.resolve(metadataOf(`${baseUrl}/mcp`)));

  const guide = agentGuide({ baseUrl, windowMinutes: Math.ceil(emailCodes.windowMs / 60_000) });
  router.get('/auth.md', (ctx) => {
    ctx.type = 'text/markdown; charset=utf-8';
    ctx.body = guide;
  });

  function metadataOf(resource: string): ProtectedResourceBody {
    return {
      resource,
      resource_name: 'Messaging channels',
      scopes_supported: [...scopes],
      bearer_methods_supported: ['header'],
      resource_documentation: `${baseUrl}/auth.md`,
    };
  }
}
