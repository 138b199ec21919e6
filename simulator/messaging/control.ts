import { z } from 'zod';
import type { ApiTypes } from '../scripted-api/api.ts';
import { faultFields, hasOneEffect, oneEffect } from '../scripted-api/fault.ts';
import {
  commonControls,
  commonDefaults,
  createScript,
  type CommonSettings,
  type Script,
  type Subject,
} from '../scripted-api/script.ts';

/** `action`: read marks, typing and reactions. */
const operations = [
  ...(['send', 'action', 'upload', 'media', 'download'] as const),
  ...(['deleteMedia', 'templates', 'number', 'profile'] as const),
] as const;

const id = z.string().min(1).max(200);
/** Null disables the webhook. */
const webhookDelayMs = z.int().min(0).max(3_600_000).nullable();

const messagingFault = z
  .strictObject({
    ...faultFields,
    at: z.enum(operations),
    match: z.strictObject({ account: id.optional(), to: id.optional() }).optional(),
  })
  .refine(hasOneEffect, oneEffect);
export type MessagingFault = z.output<typeof messagingFault>;

/** The body of `POST /control/messaging`. Omitted fields keep their value; lists are replaced. */
export const messagingControl = z.strictObject({
  ...commonControls,
  /** Refuses messages later than 24 hours after the person's last one. */
  windows: z.boolean().optional(),
  /** Whether the neutral product names are accepted, too. Chatapp repeats the name of the call. */
  words: z.enum(['real', 'both']).optional(),
  /** Delays after the response. Webhooks keep this order. */
  webhooks: z
    .strictObject({
      sentMs: webhookDelayMs.optional(),
      deliveredMs: webhookDelayMs.optional(),
      readMs: webhookDelayMs.optional(),
      echoMs: webhookDelayMs.optional(),
    })
    .optional(),
  faults: z.array(messagingFault).max(1_000).optional(),
});
export type MessagingControl = z.output<typeof messagingControl>;
export type MessagingControlInput = z.input<typeof messagingControl>;

export interface MessagingTypes extends ApiTypes {
  readonly subject: MessagingSubject;
  readonly fault: MessagingFault;
}

interface MessagingSubject extends Subject {
  readonly account: string | null;
  readonly to: string | undefined;
}

/** Delays after the response. Null disables the webhook. */
export interface WebhookDelays {
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly echoMs: number | null;
}

export interface MessagingSettings extends CommonSettings<MessagingFault> {
  readonly windows: boolean;
  readonly words: 'real' | 'both';
  readonly webhooks: WebhookDelays;
}

export type MessagingScript = Script<MessagingFault, MessagingSettings>;

export function createMessagingScript(webhooks: Partial<WebhookDelays> = {}): MessagingScript {
  const delays = { sentMs: 100, deliveredMs: 400, readMs: 1_500, echoMs: 100, ...webhooks };
  return createScript<MessagingFault, MessagingSettings>(
    { ...commonDefaults, windows: false, words: 'both', webhooks: delays },
    ['webhooks'],
  );
}
