import type { Command } from 'commander';
import { addApi } from './commands/api.ts';
import { addChannels } from './commands/channels.ts';
import { addChatapp } from './commands/chatapp.ts';
import { addCompletion } from './commands/completion.ts';
import { addContainers } from './commands/containers.ts';
import { addCredentials } from './commands/credentials.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addHealth } from './commands/health.ts';
import { addInvitations } from './commands/invitations.ts';
import { addKeys } from './commands/keys.ts';
import { addListen } from './commands/listen.ts';
import { addListeners } from './commands/listeners.ts';
import { addLogin } from './commands/login.ts';
import { addLogs } from './commands/logs.ts';
import { addMembers } from './commands/members.ts';
import { addMessages } from './commands/messages.ts';
import { addOnboardingLinks } from './commands/onboarding-links.ts';
import { addPageapp } from './commands/pageapp.ts';
import { addPhotoapp } from './commands/photoapp.ts';
import { addProfiles } from './commands/profiles.ts';
import { addReplays } from './commands/replays.ts';
import { addSubscriptions } from './commands/subscriptions.ts';
import { addVerifySignature } from './commands/verify-signature.ts';
import { addWebhook } from './commands/webhook.ts';
import { addIdentity } from './commands/whoami.ts';
import { addWorkspaces } from './commands/workspaces.ts';
import type { Act } from './run.ts';

interface Group {
  /** As a heading of the help. */
  readonly heading: string;
  readonly add: readonly ((program: Command, act: Act) => void)[];
}

/** All commands, in the order of the help. */
export const commandGroups: readonly Group[] = [
  { heading: 'Signing in:', add: [addLogin, addIdentity, addProfiles] },
  { heading: 'Channels:', add: [addChannels, addWebhook, addSubscriptions, addHealth] },
  { heading: 'Deliveries:', add: [addDeliveries, addReplays, addListen, addListeners, addVerifySignature] },
  { heading: 'Content:', add: [addMessages, addContainers, addChatapp, addPhotoapp, addPageapp] },
  {
    heading: 'Organization:',
    add: [addWorkspaces, addOnboardingLinks, addMembers, addInvitations, addKeys, addCredentials, addLogs],
  },
  { heading: 'Others:', add: [addApi, addCompletion] },
];
