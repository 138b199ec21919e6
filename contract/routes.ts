import { apiKeyRoutes } from './routes/api-keys.ts';
import { agentRoutes } from './routes/agent.ts';
import { auditRoutes } from './routes/audit.ts';
import { chatappRoutes } from './routes/chatapp.ts';
import { channelRoutes } from './routes/channels.ts';
import { containerRoutes } from './routes/containers.ts';
import type { RouteDefinition } from './routes/definition.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { destinationRoutes } from './routes/destinations.ts';
import { healthRoutes } from './routes/health.ts';
import { onboardingRoutes } from './routes/onboarding.ts';
import { invitationRoutes } from './routes/invitations.ts';
import { memberRoutes } from './routes/members.ts';
import { listenerRoutes } from './routes/listeners.ts';
import { messageRoutes } from './routes/messages.ts';
import { outboundCallRoutes } from './routes/outbound-calls.ts';
import { pageappRoutes } from './routes/pageapp.ts';
import { photoappRoutes } from './routes/photoapp.ts';
import { organizationRoutes } from './routes/organizations.ts';
import { revealRoutes } from './routes/reveals.ts';
import { replayRoutes } from './routes/replays.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { staffReplayRoutes } from './routes/staff-replays.ts';
import { statisticsRoutes } from './routes/statistics.ts';
import { staffRoutes } from './routes/staff.ts';
import { workspaceRoutes } from './routes/workspaces.ts';

/** Every operation of the management API: the routes, their checks and the OpenAPI document all come from here. */
export const routes: readonly RouteDefinition[] = [
  channelRoutes,
  destinationRoutes,
  listenerRoutes,
  deliveryRoutes,
  containerRoutes,
  messageRoutes,
  photoappRoutes,
  pageappRoutes,
  chatappRoutes,
  outboundCallRoutes,
  statisticsRoutes,
  replayRoutes,
  organizationRoutes,
  workspaceRoutes,
  memberRoutes,
  invitationRoutes,
  revealRoutes,
  auditRoutes,
  onboardingRoutes,
  sessionRoutes,
  apiKeyRoutes,
  agentRoutes,
  staffRoutes,
  staffReplayRoutes,
  healthRoutes,
].flatMap((group) => Object.values<RouteDefinition>(group));
