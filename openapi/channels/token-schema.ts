import { z } from 'zod';
import type { sharedEnvNames } from '../../contract/channels/env-names.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../../contract/channels/token.ts';
import { gatewayScopes } from '../../contract/identity/scopes.ts';
import { channelTypes } from '../../contract/event-types.ts';
import { idField, instantField, urlField } from '../definitions/fields.ts';

const tokenFields = {
  token: z
    .string()
    .regex(/^hmat_[A-Za-z0-9_-]{43}$/)
    .meta({ description: 'Gives access to this channel at the gateway, and to nothing else.' }),
  tokenPrefix: z.string().meta({ description: 'The first 14 characters.' }),
  tokenSuffix: z.string().meta({ description: 'The last 4 characters.' }),
  baseUrl: urlField.meta({
    description: "The gateway's URL with the platform's API version for this channel type.",
  }),
  scopes: z.array(z.enum(gatewayScopes)).nullable().meta({
    description:
      'The scopes of the own token of an agent or a limited key. Null for the token that people and full keys share.',
  }),
  expiresAt: instantField.nullable().meta({
    description: 'The end of the key that holds the token. Null if the token is valid until it is rotated.',
  }),
};

export const channelTokenSchema = z.strictObject(tokenFields).meta({ id: 'ChannelToken' });
export type ChannelTokenBody = z.output<typeof channelTokenSchema>;

export function overlapField(description: string) {
  return z.int().min(0).max(MAX_OVERLAP_SECONDS).optional().meta({ description });
}

export const tokenRotationInput = z
  .strictObject({
    overlapSeconds: overlapField(
      `How long the previous token stays valid; ${DEFAULT_OVERLAP_SECONDS} by default. 0 revokes it immediately. ` +
        'An earlier overlap ends immediately.',
    ),
  })
  .meta({ id: 'TokenRotationInput' });

export const rotatedTokenSchema = z
  .strictObject({
    ...tokenFields,
    previousTokenExpiresAt: instantField
      .nullable()
      .meta({ description: 'When the previous token expires; null if it has expired or did not exist.' }),
  })
  .meta({ id: 'RotatedToken' });

const sharedValues = {
  PLATFORM_GRAPH_API_URL: urlField,
  SERVICE_CHANNEL_ID: idField('channel', 'The channel.'),
  SERVICE_WORKSPACE_ID: idField('workspace', 'The workspace that holds the channel.'),
  VERIFY_TOKEN: z.string().meta({ description: 'The verify token, which a receiver needs to pass the probes.' }),
  WEBHOOK_HMAC_SECRET: z.string().meta({ description: 'Signs deliveries.' }),
} satisfies Record<(typeof sharedEnvNames)[number], z.ZodType>;

export const channelEnvSchema = z
  .strictObject({
    channelType: z.enum(channelTypes),
    values: z
      .union([
        z.strictObject({ ...sharedValues, CHATAPP_ACCESS_TOKEN: z.string(), CHATAPP_RESOURCE_ID: z.string() }),
        z.strictObject({ ...sharedValues, PHOTOAPP_ACCESS_TOKEN: z.string(), PHOTOAPP_RESOURCE_ID: z.string() }),
        z.strictObject({ ...sharedValues, PAGEAPP_ACCESS_TOKEN: z.string(), PAGEAPP_RESOURCE_ID: z.string() }),
      ])
      .meta({ description: 'Environment variables by name.' }),
    businessAccountId: z.string().nullable().meta({
      description:
        'The business account of a chatapp number. Clients add it as CHATAPP_BUSINESS_ACCOUNT_ID. Null if it is not known.',
    }),
  })
  .meta({ id: 'ChannelEnv' });
export type ChannelEnvBody = z.output<typeof channelEnvSchema>;
