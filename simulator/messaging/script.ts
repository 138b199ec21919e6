import type { ChannelType } from '../../contract/event-types.ts';
import { commonDefaults, createScript, type CommonSettings, type Script } from '../scripted-api/script.ts';
import { demoTemplates } from './chatapp-demo-templates.ts';
import type { MessagingFault, Template } from './control.ts';

export interface MessagingSettings extends CommonSettings<MessagingFault> {
  readonly windows: boolean;
  readonly words: 'neutral' | 'real' | 'both';
  readonly webhooks: WebhookDelays;
  readonly limits: { readonly perSecond: number | null; readonly pairMs: number | null };
  readonly accounts: Readonly<Record<string, ChannelType>>;
  readonly templates: readonly Template[];
}

/** Delays after the response. Null disables the webhook. */
export interface WebhookDelays {
  readonly sentMs: number | null;
  readonly deliveredMs: number | null;
  readonly readMs: number | null;
  readonly echoMs: number | null;
}

export type MessagingScript = Script<MessagingFault, MessagingSettings>;

const defaults: MessagingSettings = {
  ...commonDefaults,
  windows: false,
  words: 'both',
  webhooks: { sentMs: 100, deliveredMs: 400, readMs: 1_500, echoMs: 100 },
  limits: { perSecond: null, pairMs: null },
  accounts: {},
  templates: demoTemplates,
};

export function createMessagingScript(webhooks: Partial<WebhookDelays> = {}): MessagingScript {
  const initial = { ...defaults, webhooks: { ...defaults.webhooks, ...webhooks } };
  return createScript(initial, ['usage', 'webhooks', 'limits']);
}
