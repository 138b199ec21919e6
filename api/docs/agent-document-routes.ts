import { agentRoutes as routes, type ProtectedResourceBody } from '../../openapi/people/agent-routes.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { agentGuide } from './agent-guide.ts';
import { mountOpenRoute } from '../routing/mount-open-route.ts';
import type { Mount } from '../routing/mount-route.ts';

export function mountAgentDocuments(mount: Mount): void {
  const { router, deps } = mount;
  const { baseUrl } = deps;

  // MCP takes its key in X-API-Key, for which the standard has no method name.
  const ofMcp = metadataOf(`${baseUrl}/mcp`, []);
  mountOpenRoute(mount, routes.getProtectedResource, () => Promise.resolve(metadataOf(baseUrl, ['header'])));
  mountOpenRoute(mount, routes.getProtectedResourceOfMcp, () => Promise.resolve(ofMcp));

  const guide = agentGuide(baseUrl);
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
