import { scopeErrors, workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { deliveryRetrySchema } from '../deliveries/schema.ts';
import {
  channelHealthSchema,
  invariantsSchema,
  staffAuditListQuery,
  staffAuditListSchema,
  staffChannelListQuery,
  staffChannelListSchema,
  staffDeliveryListQuery,
  staffDeliveryListSchema,
  staffDeliverySchema,
  staffDeliverySummarySchema,
  staffReadQuery,
  staffReplayInput,
  staffRetryInput,
  unroutedEventListQuery,
  unroutedEventListSchema,
  unroutedSendInput,
  unroutedSentSchema,
} from './schema.ts';
import { byPrincipals } from '../definitions/route-definition.ts';

const byStaff = byPrincipals(['staff'], { within: 'installation' });

export const staffRoutes = defineRoutes('Staff', {
  searchDeliveries: {
    route: 'GET /staff/deliveries',
    summary: 'Searches deliveries of all organizations',
    description: 'Returns the newest first. The request is audited.',
    isSlowRead: true,
    access: byStaff,
    query: staffDeliveryListQuery,
    answer: staffDeliveryListSchema,
    errors: [...scopeErrors, 'SUBSCRIPTION_NOT_FOUND', 'LISTENER_NOT_FOUND'],
  },
  readStaffDelivery: {
    route: 'GET /staff/deliveries/{wd}',
    summary: 'Returns a delivery of any organization with its payload and attempts',
    description: 'The audit log of the organization shows who read it and why.',
    access: byStaff,
    query: staffReadQuery,
    answer: staffDeliverySchema,
    errors: ['BODY_UNREADABLE'],
  },
  retryStaffDelivery: {
    route: 'POST /staff/deliveries/{wd}/retry',
    summary: 'Sends a waiting delivery now, as staff',
    description: 'If the delivery has ended, a new retry schedule begins.',
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
    summary: 'Sends the event of a delivery again as a new delivery, as staff',
    remarks: 'Requires a reason, which is recorded.',
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
    summary: 'Lists events of unknown channels',
    description:
      'Returns what the platform sent for channels that do not exist here, newest first. The request is audited.',
    isSlowRead: true,
    access: byStaff,
    query: unroutedEventListQuery,
    answer: unroutedEventListSchema,
  },
  sendUnroutedEvents: {
    route: 'POST /staff/channels/{ch}/unrouted-events/send',
    summary: "Sends unrouted events of the channel's account on to the channel",
    description:
      'Accepts the events that arrived before the channel was connected, oldest first, as if the platform sent them ' +
      'now. Skips those that cannot be decrypted or accepted. Repeating the call sends nothing twice. The organization ' +
      'sees it in its audit log.',
    access: byStaff,
    body: unroutedSendInput,
    answer: unroutedSentSchema,
    errors: ['CHANNEL_DISCONNECTED'],
  },
  listStaffChannels: {
    route: 'GET /staff/channels',
    summary: 'Finds channels of any organization by number, account or Page',
    description: 'Includes disconnected channels. Returns the newest first. The request is audited.',
    isSlowRead: true,
    access: byStaff,
    query: staffChannelListQuery,
    answer: staffChannelListSchema,
  },
  getChannelHealth: {
    route: 'GET /staff/channels/{ch}',
    summary: 'Returns the health of a channel of any organization',
    description: 'Shows what is waiting and why. The request is audited.',
    access: byStaff,
    query: staffReadQuery,
    answer: channelHealthSchema,
  },
  readInvariants: {
    route: 'GET /staff/invariants',
    summary: 'Returns the last daily check of the ledger',
    description: 'Shows the violations of each rule. The request is audited.',
    access: byStaff,
    query: staffReadQuery,
    answer: invariantsSchema,
  },
  listStaffAuditEntries: {
    route: 'GET /staff/audit-entries',
    summary: 'Lists actions of staff',
    description:
      'Returns what staff did in any organization and what happened outside organizations, newest first. The request is audited.',
    isSlowRead: true,
    access: byStaff,
    query: staffAuditListQuery,
    answer: staffAuditListSchema,
  },
});
