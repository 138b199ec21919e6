import type { Command } from 'commander';
import { addAlerts } from './alerts/alerts.ts';
import { addApi } from './commands/api.ts';
import { addAccountHealth } from './channels/health.ts';
import { addChannels } from './channels/channels.ts';
import { addChatapp } from './operations/chatapp.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addContainers } from './containers/containers.ts';
import { addCredentials } from './people/credentials.ts';
import { addDeliveries } from './deliveries/deliveries.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDestinationOptions } from './destinations/destination-options.ts';
import { addErasures } from './erasures/erasures.ts';
import { addExports } from './erasures/exports.ts';
import { addHealth } from './destinations/health.ts';
import { addInvitations } from './people/invitations.ts';
import { addKeys } from './organizations/keys.ts';
import { addListen } from './listeners/add-listen.ts';
import { addListeners } from './listeners/listeners.ts';
import { addLogin } from './people/login.ts';
import { addAudit } from './audit/audit.ts';
import { addMembers } from './people/members.ts';
import { addMessages } from './operations/messages.ts';
import { addOnboardingLinks } from './onboarding/onboarding-links.ts';
import { addBranding } from './organizations/branding.ts';
import { addPortalLinks } from './organizations/portal-links.ts';
import { addPageapp } from './operations/pageapp.ts';
import { addPhotoapp } from './operations/photoapp.ts';
import { addProfiles } from './people/profiles.ts';
import { addReplays } from './replays/replays.ts';
import { addStaff } from './staff/staff.ts';
import { addSubscriptions } from './subscriptions/subscriptions.ts';
import { addTrigger } from './destinations/trigger.ts';
import { addUsage } from './usage/usage.ts';
import { addVerifySignature } from './webhooks/verify-signature.ts';
import { addDefaultWebhook } from './webhooks/default-webhook.ts';
import { addWebhook } from './webhooks/webhook.ts';
import { addIdentity } from './people/whoami.ts';
import { addOpen } from './links/open.ts';
import { addOrganizations } from './organizations/organizations.ts';
import { addWorkspaces } from './organizations/workspaces.ts';
import type { Act } from './commands/run.ts';

interface Group {
  readonly heading: string;
  readonly add: readonly ((program: Command, act: Act) => void)[];
}

export const commandGroups: readonly Group[] = [
  { heading: 'Authentication:', add: [addLogin, addIdentity, addProfiles] },
  {
    heading: 'Channels:',
    add: [
      addChannels,
      addWebhook,
      addDefaultWebhook,
      addSubscriptions,
      addAccountHealth,
      addHealth,
      addDestinationOptions,
    ],
  },
  {
    heading: 'Deliveries:',
    add: [addDeliveries, addReplays, addAlerts, addListen, addListeners, addTrigger, addVerifySignature],
  },
  { heading: 'Content:', add: [addMessages, addContainers, addChatapp, addPhotoapp, addPageapp] },
  {
    heading: 'Organization:',
    add: [
      addOrganizations,
      addWorkspaces,
      addOnboardingLinks,
      addPortalLinks,
      addBranding,
      addMembers,
      addInvitations,
      addKeys,
      addCredentials,
      addAudit,
      addUsage,
      addErasures,
      addExports,
    ],
  },
  { heading: 'Support staff:', add: [addStaff] },
  { heading: 'Other:', add: [addOpen, addDoctor, addApi, addCompletion] },
];
