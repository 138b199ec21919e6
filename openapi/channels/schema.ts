import { z } from 'zod';
import { deliveryStates } from '../../contract/channels/delivery-state.ts';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { overdueReasons } from '../../contract/destinations/overdue.ts';
import { disabledReasons } from '../../contract/destinations/pending-deliveries.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { idField, instantField, namedObject, namedPage, pageQuery, urlField } from '../definitions/fields.ts';

const channelDeliverySchema = namedObject('ChannelDelivery', {
  state: z
    .enum(deliveryStates)
    .describe(
      '`ok`: nothing failed since the last success. `failing`: the last attempts failed. `circuit_open`: deliveries ' +
        'wait until a probe succeeds. `overdue`: deliveries have waited for two minutes although the circuit is closed. `disabled`: events are skipped. `not_settling`: the ' +
        'service cannot record what the receiver answered, and may send it again.',
    ),
  reason: z
    .enum([...disabledReasons, ...circuitReasons, ...overdueReasons])
    .nullable()
    .describe('Why the destination is disabled, its circuit is open or its deliveries are overdue. Otherwise null.'),
  destination: z.string().describe('`webhook`, or the id of a subscription.'),
  since: instantField
    .nullable()
    .describe(
      'When the state began: the opening of the circuit, the first failure after the last success, the time of the ' +
        'oldest overdue delivery, or the first answer that was not recorded. Null if it is not known.',
    ),
});

export const channelSchema = namedObject('Channel', {
  id: idField('channel', 'The channel.'),
  type: z.enum(channelTypes),
  workspaceId: idField('workspace', 'The workspace that holds the channel.'),
  displayName: z.string(),
  metaResourceId: z.string().describe('The phone number id, account id or Page id at the platform.'),
  phoneNumberId: z.string().nullable().describe('Null except for chatapp channels.'),
  businessAccountId: z
    .string()
    .nullable()
    .describe(
      'The business account of a chatapp number, which is the id of its webhook entries. Null for other channels, and until it is known.',
    ),
  connectionType: z.string(),
  credentialId: idField('connectionCredential', "The channel's credential at the platform."),
  connected: z
    .boolean()
    .describe(
      'False once a user has disconnected the channel. A connected channel receives events, even if its credential is refused.',
    ),
  disconnectedReason: z
    .string()
    .nullable()
    .describe(
      'Why the service disconnected the channel, which only releases up to 0.2 did. Null if it is connected or was ' +
        'disconnected by request.',
    ),
  credentialRefusedAt: instantField
    .nullable()
    .describe(
      'Since when the platform refuses calls with the credential, for example because the owner changed a password. ' +
        'Sends return CREDENTIAL_REFUSED until the account is connected again or a health check succeeds. Events are ' +
        'still received and delivered. Null while the platform takes it.',
    ),
  credentialRefusedReason: z.string().nullable().describe('Why, and what to do.'),
  forwardingEnabled: z.boolean().describe('Whether events are delivered to the destinations.'),
  webhookUrl: urlField.nullable().describe('Null without a webhook, and in a portal.'),
  delivery: channelDeliverySchema
    .nullable()
    .describe(
      'The state of the destination that needs attention most: the webhook or a subscription. Null without any.',
    ),
  linkedChannelId: idField('channel', 'The channel of the linked account.').nullable(),
  onboardingLinkId: idField('onboardingLink', 'The link through which the channel was last connected.').nullable(),
  createdAt: instantField,
  updatedAt: instantField,
});
export const channelListQuery = z.strictObject({
  onboardingLinkId: idField('onboardingLink', 'Filters by the link that connected the channel.').optional(),
  ...pageQuery,
});
export const channelListSchema = namedPage('ChannelList', { channels: channelSchema });

export const channelMoveInput = namedObject('ChannelMoveInput', {
  workspaceId: idField('workspace', 'The target workspace, in the same organization.'),
});
