import Router from '@koa/router';
import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { addressLimit } from './requests/rate-limits.ts';
import { mountDashboard } from './docs/dashboard/routes.ts';
import { problemPages } from './onboarding/connect/serve.ts';
import type { ApiDeps } from './requests/deps.ts';
import { platformWebhook } from './ingest/platform-webhook.ts';
import { mountDocsRoutes } from './docs/routes.ts';
import { mountGuides } from './docs/guides/routes.ts';
import { mountMcp } from './mcp/mount.ts';
import {
  clientAddress,
  errorResponses,
  exactPaths,
  requestId,
  requestLog,
  requestMetrics,
  requestTraces,
  securityHeaders,
  unroutedRequests,
} from './requests/middleware.ts';
import { requestTurns } from './requests/request-turns.ts';
import { tenantOfRequest } from './requests/request-tenant.ts';
import { mountApiKeyRoutes } from './organizations/api-key-routes.ts';
import { mountAlertRoutes } from './alerts/routes.ts';
import { mountAgentDocuments } from './docs/agent-document-routes.ts';
import { mountAgentRoutes } from './people/agent-routes.ts';
import { mountRevealRoutes } from './reveals/routes.ts';
import { mountAuditRoutes } from './audit/routes.ts';
import { mountChannelMove, mountChannelRoutes } from './channels/routes.ts';
import { mountChannelTokenRoutes } from './channels/token-routes.ts';
import { mountConnectRoutes } from './onboarding/connect/routes.ts';
import { mountContainerRoutes } from './containers/routes.ts';
import { mountChatappRoutes } from './operations/chatapp-routes.ts';
import { mountDeliveryStream } from './deliveries/stream-routes.ts';
import { mountDeliveryRoutes } from './deliveries/routes.ts';
import { mountHealthRoutes } from './upkeep/health-routes.ts';
import { mountOnboardingLinkRoutes } from './onboarding/routes.ts';
import { mountInvitationRoutes } from './people/invitation-routes.ts';
import { mountListenerReading } from './listeners/reading-routes.ts';
import { mountListenerRoutes } from './listeners/routes.ts';
import { mountMessageRoutes } from './operations/message-routes.ts';
import { mountScheduledByKeyRoutes } from './scheduled/by-key-routes.ts';
import { mountScheduledMessageRoutes, mountScheduledPostRoutes } from './scheduled/routes.ts';
import { mountOutboundCallRoutes } from './operations/outbound-call-routes.ts';
import { mountPageappRoutes } from './operations/pageapp-routes.ts';
import { mountPhotoappRoutes } from './operations/photoapp-routes.ts';
import { mountMemberRoutes } from './people/member-routes.ts';
import { mountOverviewRoutes } from './organizations/overview-routes.ts';
import { mountOrganizationRoutes } from './organizations/routes.ts';
import { mountReplayRoutes } from './replays/routes.ts';
import { mountSessionRoutes } from './people/session-routes.ts';
import { mountDestinationRoutes } from './destinations/routes.ts';
import { mountStaffRoutes } from './staff/routes.ts';
import { mountSubscriptionRoutes } from './subscriptions/routes.ts';
import { mountErasureRoutes } from './organizations/erasure-routes.ts';
import { mountUsageRoutes } from './organizations/usage-routes.ts';
import { mountDefaultWebhookRoutes } from './webhooks/default-webhook-routes.ts';
import { mountWebhookConfigRoutes } from './webhooks/routes.ts';
import { mountWorkspaceRoutes } from './organizations/workspace-routes.ts';
import type { Mount } from './routing/mount-route.ts';
import type { ApiState } from './requests/state.ts';

export function createApp(deps: ApiDeps): RequestListener {
  const others = createKoa(deps).callback();
  const { ingest, trustProxy = false } = deps;
  return ingest ? platformWebhook({ ...deps, ...ingest, trustProxy }, others) : others;
}

function createKoa(deps: ApiDeps): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.silent = true; // errors are logged below and in the error middleware
  app.proxy = deps.trustProxy ?? false;
  app.on('error', (error: unknown) => {
    if (isDisconnect(error)) deps.log.debug('response.broken', { error });
    else deps.log.warn('response.broken', { error });
  });

  app.use(clientAddress({ trustProxy: app.proxy }));
  if (deps.meter) app.use(requestMetrics(deps.meter));
  app.use(requestId);
  if (deps.traces) app.use(requestTraces(deps.traces));
  app.use(requestLog(deps));
  // Inside the request log, so that its line has the error code.
  app.use(errorResponses(deps));
  app.use(securityHeaders());
  app.use(problemPages(deps));
  app.use(addressLimit(deps));
  app.use(tenantOfRequest());
  app.use(requestTurns());

  const router = managementRouter(deps);
  app.use(exactPaths(router));
  app.use(router.routes());
  app.use(unroutedRequests(router));
  return app;
}

const disconnects = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function isDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && disconnects.has(error.code);
}

function managementRouter(deps: ApiDeps): Router<ApiState> {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const mount: Mount = { router, deps, operations: new Map() };
  mountChannelRoutes(mount);
  mountChannelTokenRoutes(mount);
  mountWebhookConfigRoutes(mount);
  mountDefaultWebhookRoutes(mount);
  mountSubscriptionRoutes(mount);
  mountListenerRoutes(mount);
  mountListenerReading(mount);
  mountDeliveryStream(mount); // its path matches the delivery route, too
  mountDeliveryRoutes(mount);
  mountContainerRoutes(mount);
  mountAccountRoutes(mount);
  mountOutboundCallRoutes(mount);
  mountDestinationRoutes(mount);
  mountReplayRoutes(mount);
  mountAlertRoutes(mount);
  mountOrganizationRoutes(mount);
  mountOverviewRoutes(mount);
  mountWorkspaceRoutes(mount);
  mountMemberRoutes(mount);
  mountInvitationRoutes(mount);
  mountAuditRoutes(mount);
  mountUsageRoutes(mount);
  mountErasureRoutes(mount);
  mountChannelMove(mount);
  mountOnboardingLinkRoutes(mount);
  mountSessionRoutes(mount);
  mountApiKeyRoutes(mount);
  mountAgentRoutes(mount);
  mountRevealRoutes(mount);
  mountStaffRoutes(mount);
  mountAgentDocuments(mount);
  mountMcp(mount); // needs the operations above
  mountPages(router, deps);
  return router;
}

function mountPages(router: Router<ApiState>, deps: ApiDeps): void {
  mountConnectRoutes(router, deps);
  mountHealthRoutes(router, deps);
  mountDocsRoutes(router, deps);
  mountGuides(router, deps);
  mountDashboard(router, deps);
}

/** Calls to the platform for an account, now or later. */
function mountAccountRoutes(mount: Mount): void {
  mountMessageRoutes(mount);
  mountScheduledMessageRoutes(mount);
  mountScheduledByKeyRoutes(mount);
  mountScheduledPostRoutes(mount);
  mountPhotoappRoutes(mount);
  mountPageappRoutes(mount);
  mountChatappRoutes(mount);
}
