import { scopeErrors, workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { deliveryRetrySchema } from '../deliveries/schema.ts';
import {
  channelHealthSchema,
  staffAuditListQuery,
  staffAuditListSchema,
  staffDeliveryListQuery,
  staffDeliveryListSchema,
  staffDeliverySchema,
  staffDeliverySummarySchema,
  staffReadQuery,
  staffReplayInput,
  staffRetryInput,
  unroutedEventListQuery,
  unroutedEventListSchema,
} from './schema.ts';
import { invariantsSchema } from '../upkeep/invariant-schema.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

const byStaff = byPrincipals(['staff'], { within: 'installation' });

export const staffRoutes = defineRoutes('Staff', {
  searchDeliveries: {
    route: 'GET /staff/deliveries',
    summary: 'Searches the deliveries of all organizations, newest first; the search is audited',
    access: byStaff,
    query: staffDeliveryListQuery,
    answer: staffDeliveryListSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND'],
  },
  readStaffDelivery: {
    route: 'GET /staff/deliveries/{wd}',
    summary: "Returns a delivery with its payload and attempts; its organization's audit log says who read it, and why",
    access: byStaff,
    query: staffReadQuery,
    answer: staffDeliverySchema,
    errors: ['BODY_UNREADABLE'],
  },
  retryStaffDelivery: {
    route: 'POST /staff/deliveries/{wd}/retry',
    summary: 'Sends a waiting delivery now, or begins a new schedule for one that has ended, in the name of support',
    access: byStaff,
    body: staffRetryInput,
    status: 202,
    answer: deliveryRetrySchema,
    errors: [
      'DELIVERY_ALREADY_DELIVERED',
      'DELIVERY_ENDED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
      ...workflowErrors,
    ],
  },
  replayStaffDelivery: {
    route: 'POST /staff/deliveries/{wd}/replay',
    summary: 'Sends the event again as a new delivery, in the name of support',
    access: byStaff,
    body: staffReplayInput,
    idempotent: true,
    status: 202,
    answer: staffDeliverySummarySchema,
    errors: [
      'SUBSCRIPTION_NOT_FOUND',
      'LISTENER_NOT_FOUND',
      'DELIVERY_ENDED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
    ],
  },
  listUnroutedEvents: {
    route: 'GET /staff/unrouted-events',
    summary: 'Lists what the platform sent for no channel that we know, newest first; the look is audited',
    access: byStaff,
    query: unroutedEventListQuery,
    answer: unroutedEventListSchema,
  },
  getChannelHealth: {
    route: 'GET /staff/channels/{ch}',
    summary: 'Says how a channel of any organization is doing: what waits, and why; the look is audited',
    access: byStaff,
    query: staffReadQuery,
    answer: channelHealthSchema,
  },
  readInvariants: {
    route: 'GET /staff/invariants',
    summary: 'Says what the last daily check of the ledger found, rule by rule; the look is audited',
    access: byStaff,
    query: staffReadQuery,
    answer: invariantsSchema,
  },
  listStaffAuditEntries: {
    route: 'GET /staff/audit-entries',
    summary: 'Lists what staff did in any organization and what happened in none, newest first; the look is audited',
    access: byStaff,
    query: staffAuditListQuery,
    answer: staffAuditListSchema,
  },
});
