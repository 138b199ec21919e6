import { alerts } from './alerts/commands.ts';
import { audit, outboundCalls } from './audit/commands.ts';
import { accountHealth, channels } from './channels/commands.ts';
import { api } from './commands/api.ts';
import { completion } from './commands/completion/completion.ts';
import type { Entry } from './commands/definition.ts';
import { doctor } from './commands/doctor.ts';
import { containers } from './containers/commands.ts';
import { deliveries } from './deliveries/commands.ts';
import { destinationOptions, health, trigger } from './destinations/commands.ts';
import { erasures } from './erasures/commands.ts';
import { exports } from './erasures/exports.ts';
import { open } from './links/open.ts';
import { listeners } from './listeners/commands.ts';
import { listenCommand } from './listeners/listen-command.ts';
import { onboardingLinks } from './onboarding/commands.ts';
import { chatapp } from './operations/chatapp.ts';
import { messages } from './operations/messages.ts';
import { pageapp } from './operations/pageapp.ts';
import { photoapp } from './operations/photoapp.ts';
import { branding, customers, organizations, portalLinks, workspaces } from './organizations/commands.ts';
import { keys } from './organizations/keys.ts';
import { credentials } from './people/credentials.ts';
import { invitations } from './people/invitations.ts';
import { login } from './people/login.ts';
import { members } from './people/members.ts';
import { profiles } from './people/profiles.ts';
import { logout, whoami } from './people/whoami.ts';
import { replays } from './replays/commands.ts';
import { staff } from './staff/commands.ts';
import { subscriptions } from './subscriptions/commands.ts';
import { usage } from './usage/commands.ts';
import { webhook } from './webhooks/commands.ts';
import { defaultWebhook } from './webhooks/default-webhook.ts';
import { verifySignature } from './webhooks/verify-signature.ts';

/** All commands, in the order of the help. */
export const entries: readonly Entry[] = [
  { heading: 'Authentication:' },
  ...[login, whoami, logout, profiles],
  { heading: 'Channels:' },
  ...[...channels, webhook, defaultWebhook, subscriptions, accountHealth, ...health, destinationOptions],
  { heading: 'Deliveries:' },
  ...[deliveries, replays, alerts, listenCommand, listeners, trigger, verifySignature],
  { heading: 'Content:' },
  ...[messages, containers, chatapp, photoapp, pageapp],
  { heading: 'Organization:' },
  ...[organizations, workspaces, customers, onboardingLinks, portalLinks, branding, members, invitations, keys],
  ...[credentials, audit, outboundCalls, usage, erasures, exports],
  { heading: 'Support staff:' },
  staff,
  { heading: 'Other:' },
  ...[open, doctor, api, completion],
];
