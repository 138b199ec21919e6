import Router from '@koa/router';
import Koa from 'koa';
import { addressLimit } from './access/rate-limits.ts';
import { mountDashboard } from './dashboard/routes.ts';
import { problemPages } from './connect/serve.ts';
import type { ApiDeps } from './deps.ts';
import { mountDocsRoutes } from './docs/routes.ts';
import { mountMcp } from './mcp/mount.ts';
import { errorResponses } from './middleware/errors.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { requestMetrics } from './middleware/request-metrics.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { unroutedRequests } from './middleware/routing.ts';
import { mountApiKeyRoutes } from './routes/api-keys.ts';
import { mountAgentDocuments } from './routes/agent-documents.ts';
import { mountAgentRoutes } from './routes/agent.ts';
import { mountRevealRoutes } from './routes/reveals.ts';
import { mountAuditRoutes } from './routes/audit.ts';
import { mountChannelMove } from './routes/channel-move.ts';
import { mountChannelTokenRoutes } from './routes/channel-tokens.ts';
import { mountChannelRoutes } from './routes/channels.ts';
import { mountConnectRoutes } from './routes/connect.ts';
import { mountContainerRoutes } from './routes/containers.ts';
import { mountChatappRoutes } from './routes/chatapp.ts';
import { mountDeliveryStream } from './routes/delivery-stream.ts';
import { mountDeliveryRoutes } from './routes/deliveries.ts';
import { mountHealthRoutes } from './routes/health.ts';
import { mountOnboardingLinkRoutes } from './routes/onboarding-links.ts';
import { mountInvitationRoutes } from './routes/invitations.ts';
import { mountListenerReading } from './routes/listener-reading.ts';
import { mountListenerRoutes } from './routes/listeners.ts';
import { mountMessageRoutes } from './routes/messages.ts';
import { mountOutboundCallRoutes } from './routes/outbound-calls.ts';
import { mountPageappRoutes } from './routes/pageapp.ts';
import { mountPhotoappRoutes } from './routes/photoapp.ts';
import { mountMemberRoutes } from './routes/members.ts';
import { mountOrganizationRoutes } from './routes/organizations.ts';
import { mountReplayRoutes } from './routes/replays.ts';
import { mountSessionRoutes } from './routes/sessions.ts';
import { mountStatisticsRoutes } from './routes/statistics.ts';
import { mountStaffRoutes } from './routes/staff.ts';
import { mountSubscriptionRoutes } from './routes/subscriptions.ts';
import { mountWebhookConfigRoutes } from './routes/webhook-config.ts';
import { mountWorkspaceRoutes } from './routes/workspaces.ts';
import type { Mount } from './operation.ts';
import type { ApiState } from './state.ts';

/**
 * The management API. The platform's webhooks come first and pass through as little as possible: they are thousands a
 * second, read their own bytes, and are authenticated by the platform's signature.
 */
export function createApp(deps: ApiDeps): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.silent = true; // Koa would print to the console; what breaks is logged here and in the error middleware
  app.proxy = deps.trustProxy ?? false;
  app.maxIpsCount = 1; // the address that the proxy saw; what stands before it, anybody may have written
  app.on('error', (error: unknown) => {
    if (isDisconnect(error)) deps.log.debug('response.broken', { error });
    else deps.log.warn('response.broken', { error });
  });

  if (deps.meter) app.use(requestMetrics(deps.meter));
  app.use(requestId);
  app.use(errorResponses(deps));
  if (deps.ingest) app.use(deps.ingest.routes());
  app.use(requestLog(deps));
  // Within the log line, so that a refusal's code is in it.
  app.use(errorResponses(deps));
  app.use(securityHeaders());
  app.use(problemPages(deps));
  app.use(addressLimit(deps));

  const router = managementRouter(deps);
  app.use(router.routes());
  const ingest = deps.ingest; // it has no use for the state, and so any state fits
  app.use(unroutedRequests(ingest ? [router, ingest] : [router]));
  return app;
}

const disconnects = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Whether a client has gone, which is its own affair. */
function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && disconnects.has(error.code);
}

function managementRouter(deps: ApiDeps): Router<ApiState> {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const mount: Mount = { router, deps, operations: new Map() };
  mountChannelRoutes(mount);
  mountChannelTokenRoutes(mount);
  mountWebhookConfigRoutes(mount);
  mountSubscriptionRoutes(mount);
  mountListenerRoutes(mount);
  mountListenerReading(mount);
  mountDeliveryStream(mount); // before the route whose path would take it for an id
  mountDeliveryRoutes(mount);
  mountContainerRoutes(mount);
  mountMessageRoutes(mount);
  mountPhotoappRoutes(mount);
  mountPageappRoutes(mount);
  mountChatappRoutes(mount);
  mountOutboundCallRoutes(mount);
  mountStatisticsRoutes(mount);
  mountReplayRoutes(mount);
  mountOrganizationRoutes(mount);
  mountWorkspaceRoutes(mount);
  mountMemberRoutes(mount);
  mountInvitationRoutes(mount);
  mountAuditRoutes(mount);
  mountChannelMove(mount);
  mountOnboardingLinkRoutes(mount);
  mountSessionRoutes(mount);
  mountApiKeyRoutes(mount);
  mountAgentRoutes(mount);
  mountRevealRoutes(mount);
  mountStaffRoutes(mount);
  mountAgentDocuments(mount);
  mountMcp(mount); // after the operations that its tools are
  mountConnectRoutes(router, deps);
  mountHealthRoutes(router, deps);
  mountDocsRoutes(router, deps);
  mountDashboard(router, deps);
  return router;
}
