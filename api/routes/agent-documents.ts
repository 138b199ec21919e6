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

  // Its key goes into a header of its own, which is none of the ways that the standard has a name for.
  const ofMcp = metadataOf(`${baseUrl}/mcp`, []);
  mountOpenOperation(mount, routes.getProtectedResource, () => Promise.resolve(metadataOf(baseUrl, ['header'])));
  mountOpenOperation(mount, routes.getProtectedResourceOfMcp, () => Promise.resolve(ofMcp));

  const guide = agentGuide({ baseUrl, windowMinutes: Math.ceil(emailCodes.windowMs / 60_000) });
  router.get('/auth.md', (ctx) => {
    ctx.type = 'text/markdown; charset=utf-8';
    ctx.body = guide;
  });

  function metadataOf(resource: string, bearerMethods: 'header'[]): ProtectedResourceBody {
    return {
      resource,
      resource_name: 'Messaging channels',
      scopes_supported: [...scopes],
      bearer_methods_supported: bearerMethods,
      resource_documentation: `${baseUrl}/auth.md`,
    };
  }
}
