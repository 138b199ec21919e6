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
    .meta({ description: 'Opens this channel at the gateway, and nothing anywhere else.' }),
  tokenPrefix: z.string().meta({ description: 'Its first 14 characters, for showing it.' }),
  tokenSuffix: z.string().meta({ description: 'Its last 4 characters.' }),
  baseUrl: urlField.meta({
    description: "The gateway's address with the platform's version for this type of channel.",
  }),
  scopes: z.array(z.enum(gatewayScopes)).nullable().meta({
    description:
      "What an agent's own token is limited to. Null: people and full keys share it, and it opens everything.",
  }),
  expiresAt: instantField.nullable().meta({ description: 'Null: good until it is rotated.' }),
};

export const channelTokenSchema = z.strictObject(tokenFields).meta({ id: 'ChannelToken' });
export type ChannelTokenBody = z.output<typeof channelTokenSchema>;

/** Returns the optional field for the overlap of a rotation, in seconds. */
export function overlapField(description: string) {
  return z.int().min(0).max(MAX_OVERLAP_SECONDS).optional().meta({ description });
}

export const tokenRotationInput = z
  .strictObject({
    overlapSeconds: overlapField(
      `How long the token so far goes on; ${DEFAULT_OVERLAP_SECONDS} unless given, 0 ends it at once. ` +
        'An overlap that is under way ends at once.',
    ),
  })
  .meta({ id: 'TokenRotationInput' });

export const rotatedTokenSchema = z
  .strictObject({
    ...tokenFields,
    previousTokenExpiresAt: instantField
      .nullable()
      .meta({ description: 'When the token so far ends; null where it has ended, or where there was none.' }),
  })
  .meta({ id: 'RotatedToken' });

/** What clients of every type of channel are set up with, beside the two values that bear the type's name. */
const sharedValues = {
  PLATFORM_GRAPH_API_URL: urlField,
  SERVICE_CHANNEL_ID: idField('channel', 'The channel.'),
  SERVICE_WORKSPACE_ID: idField('workspace', 'The workspace that holds the channel.'),
  VERIFY_TOKEN: z.string().meta({ description: 'Of the webhook; empty where none is set.' }),
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
      .meta({ description: 'Environment variables by their names.' }),
  })
  .meta({ id: 'ChannelEnv' });
export type ChannelEnvBody = z.output<typeof channelEnvSchema>;
