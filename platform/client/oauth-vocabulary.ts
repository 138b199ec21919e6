import type { ChannelType } from '../../contract/event-types.ts';

/** What the service uses of a connected channel. The consent also asks for `searchScopes`. */
export const consentScopes: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_management', 'whatsapp_business_messaging'],
  photoapp: [
    'instagram_basic',
    'instagram_content_publish',
    'instagram_manage_comments',
    'instagram_manage_insights',
    'instagram_manage_messages',
    'pages_show_list',
    'pages_manage_metadata',
  ],
  pageapp: [
    'pages_show_list',
    'pages_messaging',
    'pages_manage_metadata',
    'pages_manage_posts',
    'pages_manage_engagement',
    'pages_read_engagement',
    'pages_read_user_content',
    'read_insights',
    'instagram_basic',
  ],
};

/** Shows the accounts of a customer's businesses, which no other permission lists. Its targets are the businesses. */
export const businessScope = 'business_management';

/** What only the search for a customer's accounts needs. A connected channel works without. */
export const searchScopes: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: [businessScope],
  photoapp: ['pages_read_engagement', businessScope],
  pageapp: [businessScope],
};

/** Permissions whose targets are accounts of the type, by how their names begin. */
export const accountScopePrefixes: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_'],
  photoapp: ['pages_', 'instagram_'],
  pageapp: ['pages_'],
};

/** Without these, the platform lists no account of the type. */
export const requiredScopes: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_management'],
  photoapp: ['pages_show_list', 'instagram_basic'],
  pageapp: ['pages_show_list'],
};

/** What a business has of each type: its own accounts, and those of its clients. */
export const businessEdges: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['owned_whatsapp_business_accounts', 'client_whatsapp_business_accounts'],
  photoapp: ['owned_pages', 'client_pages'],
  pageapp: ['owned_pages', 'client_pages'],
};

/** The state of a number that receives no events before it is registered. */
export const unregisteredStatuses: readonly string[] = ['PENDING', 'DISCONNECTED', 'UNVERIFIED'];
export const unregisteredPlatforms: readonly string[] = ['NOT_APPLICABLE'];

/** Exchanges a short-lived token for one of about 60 days. */
export const longLivedGrant = { type: 'fb_exchange_token', parameter: 'fb_exchange_token' } as const;

/** Their values must not appear in texts for users. */
export const secretParameters = [
  'access_token',
  'input_token',
  'client_secret',
  'code',
  longLivedGrant.parameter,
] as const;

/** Where the list of a business account's subscriptions names the app. */
export const subscribedAppField = 'whatsapp_business_api_data';

export const linkedPhotoField = 'instagram_business_account';

/** Without these, a Page or its photo account has no messages and no comments. */
export const essentialPageFields: readonly string[] = [
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'message_deliveries',
  'messaging_postbacks',
  'feed',
];

/** What the service reads. The platform may refuse some of them to an app without its approval. */
export const pageFields: readonly string[] = [
  ...essentialPageFields,
  'message_edits',
  'messaging_referrals',
  'messaging_optins',
  'messaging_optouts',
  'messaging_handovers',
  'messaging_account_linking',
  'messaging_policy_enforcement',
  'standby',
  'mention',
  'ratings',
];

export const connectionTypes: Readonly<Record<ChannelType, string>> = {
  chatapp: 'cloud_api',
  photoapp: 'page_login',
  pageapp: 'page_login',
};
