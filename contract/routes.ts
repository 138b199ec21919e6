import { channelRoutes } from './routes/channels.ts';
import type { RouteDefinition } from './routes/definition.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { destinationRoutes } from './routes/destinations.ts';
import { healthRoutes } from './routes/health.ts';
import { organizationRoutes } from './routes/organizations.ts';

/** Every operation of the management API: the routes, their checks and the OpenAPI document all come from here. */
export const routes: readonly RouteDefinition[] = [
  channelRoutes,
  destinationRoutes,
  deliveryRoutes,
  organizationRoutes,
  healthRoutes,
].flatMap((group) => Object.values<RouteDefinition>(group));
