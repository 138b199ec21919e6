interface TagGroup {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The tags in the order of the reference, by group, with their descriptions. */
export const tagGroups = [
  {
    name: 'Channels',
    tags: {
      Channels:
        "A channel is one connected account of the platform: a number, a photo account or a Page. Its token is the platform's credential for clients of the gateway.",
      'Channel health': 'What the platform says about the account of a channel: quality, permissions, credential.',
      Onboarding: 'Links that a customer opens to connect accounts.',
    },
  },
  {
    name: 'Receiving events',
    tags: {
      'Webhook destination': 'The one URL that receives all events of a channel, and the secret that signs them.',
      'Default webhooks': 'Webhooks for all channels of an organization or a workspace, and their rollouts.',
      'Event subscriptions': "Further URLs, which receive selected types of a channel's events.",
      Listeners: 'Destinations without a URL, whose events you read and acknowledge.',
    },
  },
  {
    name: 'Deliveries',
    tags: {
      Deliveries: 'A delivery is one event for one destination, with all its attempts. Destinations have statistics.',
      Replays: 'Old events that are sent again in bulk.',
    },
  },
  {
    name: 'Sending and publishing',
    tags: {
      Messages: 'Sends messages from a channel.',
      'Scheduled messages': 'Messages that are sent once at a time.',
      'Media containers': 'Posts of photo accounts: created, processed by the platform, published.',
      'Scheduled posts': 'Posts that are created and published at a time.',
      Photoapp: 'Media, comments, conversations and insights of photo accounts.',
      Pageapp: 'Posts, comments, conversations and insights of Pages.',
      Chatapp: 'Templates and media of numbers.',
      'Outbound calls': 'The log of calls to the platform.',
    },
  },
  {
    name: 'Alerts',
    tags: {
      Alerts: 'What needs attention: failing destinations, lost channels, failed containers and replays.',
      'Alert webhook': "The URL that receives an organization's alerts as signed calls.",
    },
  },
  {
    name: 'Organization',
    tags: {
      Organizations: 'An organization owns workspaces, for its teams and for its customers.',
      Workspaces: 'A workspace holds channels.',
      Members: 'The people of organizations and workspaces, invitations, and secrets that people have read.',
      Portal: 'Links to pages on which a customer sees their channels, and how these pages look.',
      Usage: 'What was used, by day or month.',
      'Audit log': 'Security-relevant actions.',
      Erasures: 'Erases and exports the data of persons.',
    },
  },
  {
    name: 'Access',
    tags: {
      Sessions: 'People sign in with a code by email.',
      'API keys': 'Keys of programs, limited to scopes, workspaces and addresses if you choose so.',
      Agents: 'Keys of agents, which a person approves with a code by email.',
    },
  },
  {
    name: 'Operation',
    tags: {
      Staff: 'For the operator of the installation, with a staff key. Each call is recorded.',
      Health: 'For monitoring.',
      'Platform webhooks': 'The platform calls these.',
    },
  },
  {
    name: 'Calls that you receive',
    tags: {
      'Deliveries to receivers': 'What the service sends to webhooks and subscriptions, by type of event.',
      'Alert calls': 'What the service sends to the alert webhook.',
    },
  },
] as const satisfies readonly TagGroup[];

type NamesOf<Group> = Group extends { readonly tags: infer Tags } ? keyof Tags & string : never;
export type TagName = NamesOf<(typeof tagGroups)[number]>;
