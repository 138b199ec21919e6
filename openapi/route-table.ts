import { apiKeyRoutes } from './organizations/api-key-routes.ts';
import { alertPreferenceRoutes } from './alerts/preference-routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { alertWebhookRoutes } from './alerts/webhook-routes.ts';
import { agentRoutes } from './people/agent-routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { chatappRoutes } from './operations/chatapp-routes.ts';
import { channelHealthRoutes } from './channels/health-routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { containerRoutes } from './containers/routes.ts';
import type { RouteDefinition } from './definitions/route-definition.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import { defaultWebhookRoutes } from './webhooks/default-webhook-routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { healthRoutes } from './upkeep/health-routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { invitationRoutes } from './people/invitation-routes.ts';
import { memberRoutes } from './people/member-routes.ts';
import { erasureRoutes } from './erasures/routes.ts';
import { exportRoutes } from './erasures/export-routes.ts';
import { listenerRoutes } from './listeners/routes.ts';
import { messageRoutes } from './operations/message-routes.ts';
import { scheduledByKeyRoutes } from './scheduled/by-key-routes.ts';
import { scheduledMessageRoutes, scheduledPostRoutes } from './scheduled/routes.ts';
import { outboundCallRoutes } from './operations/outbound-call-routes.ts';
import { pageappRoutes } from './operations/pageapp-routes.ts';
import { portalRoutes } from './organizations/portal-routes.ts';
import { photoappRoutes } from './operations/photoapp-routes.ts';
import { overviewRoutes } from './organizations/overview-routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { revealRoutes } from './reveals/routes.ts';
import { replayRoutes } from './replays/routes.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { staffReplayRoutes } from './staff/replay-routes.ts';
import { staffStatusRoutes } from './staff/status-routes.ts';
import { destinationRoutes } from './destinations/routes.ts';
import { testEventRoutes } from './destinations/test-routes.ts';
import { staffRoutes } from './staff/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { workspaceRoutes } from './organizations/workspace-routes.ts';

export const routes: readonly RouteDefinition[] = [
  channelRoutes,
  channelHealthRoutes,
  webhookRoutes,
  testEventRoutes,
  defaultWebhookRoutes,
  subscriptionRoutes,
  listenerRoutes,
  deliveryRoutes,
  containerRoutes,
  messageRoutes,
  scheduledMessageRoutes,
  scheduledPostRoutes,
  photoappRoutes,
  pageappRoutes,
  chatappRoutes,
  outboundCallRoutes,
  destinationRoutes,
  replayRoutes,
  alertRoutes,
  alertPreferenceRoutes,
  alertWebhookRoutes,
  organizationRoutes,
  overviewRoutes,
  workspaceRoutes,
  memberRoutes,
  invitationRoutes,
  revealRoutes,
  auditRoutes,
  usageRoutes,
  erasureRoutes,
  exportRoutes,
  onboardingRoutes,
  portalRoutes,
  sessionRoutes,
  apiKeyRoutes,
  scheduledByKeyRoutes,
  agentRoutes,
  staffRoutes,
  staffReplayRoutes,
  staffStatusRoutes,
  healthRoutes,
].flatMap((group) => Object.values<RouteDefinition>(group));
