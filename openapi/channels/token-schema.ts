import { z } from 'zod';
import type { sharedEnvNames } from '../../contract/channels/env-names.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { gatewayScopes } from '../../contract/identity/scopes.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { idField, instantField, namedObject, urlField } from '../definitions/fields.ts';

const tokenFields = {
  token: z
    .string()
    .regex(/^hmat_[A-Za-z0-9_-]{43}$/)
    .describe('Gives access to this channel at the gateway, and to nothing else.'),
  tokenPrefix: z.string().describe('The first 14 characters.'),
  tokenSuffix: z.string().describe('The last 4 characters.'),
  baseUrl: urlField.describe("The gateway's URL with the platform's API version for this channel type."),
  scopes: z
    .array(z.enum(gatewayScopes))
    .nullable()
    .describe(
      'The scopes of the own token of an agent or a limited key. Null for the token that people and full keys share.',
    ),
  expiresAt: instantField
    .nullable()
    .describe('The end of the key that holds the token. Null if the token is valid until it is rotated.'),
};

export const channelTokenSchema = namedObject('ChannelToken', tokenFields);
export function overlapField(description: string) {
  return z.int().min(0).max(MAX_OVERLAP_SECONDS).optional().describe(description);
}

export const tokenRotationInput = namedObject('TokenRotationInput', {
  overlapSeconds: overlapField(
    `How long the previous token stays valid; ${DEFAULT_OVERLAP_SECONDS} by default. 0 revokes it immediately. ` +
      'An earlier overlap ends immediately.',
  ),
});

export const rotatedTokenSchema = namedObject('RotatedToken', {
  ...tokenFields,
  previousTokenExpiresAt: instantField
    .nullable()
    .describe('When the previous token expires; null if it has expired or did not exist.'),
});

const sharedValues = {
  PLATFORM_GRAPH_API_URL: urlField,
  SERVICE_CHANNEL_ID: idField('channel', 'The channel.'),
  SERVICE_WORKSPACE_ID: idField('workspace', 'The workspace that holds the channel.'),
  VERIFY_TOKEN: z.string().describe('The verify token, which a receiver needs to pass the probes.'),
  WEBHOOK_HMAC_SECRET: z.string().describe('Signs deliveries.'),
} satisfies Record<(typeof sharedEnvNames)[number], z.ZodType>;

export const channelEnvSchema = namedObject('ChannelEnv', {
  channelType: z.enum(channelTypes),
  values: z
    .union([
      z.strictObject({ ...sharedValues, CHATAPP_ACCESS_TOKEN: z.string(), CHATAPP_RESOURCE_ID: z.string() }),
      z.strictObject({ ...sharedValues, PHOTOAPP_ACCESS_TOKEN: z.string(), PHOTOAPP_RESOURCE_ID: z.string() }),
      z.strictObject({ ...sharedValues, PAGEAPP_ACCESS_TOKEN: z.string(), PAGEAPP_RESOURCE_ID: z.string() }),
    ])
    .describe('Environment variables by name.'),
  businessAccountId: z
    .string()
    .nullable()
    .describe(
      'The business account of a chatapp number. Clients add it as CHATAPP_BUSINESS_ACCOUNT_ID. Null if it is not known.',
    ),
});
export type ChannelEnvBody = z.output<typeof channelEnvSchema>;
