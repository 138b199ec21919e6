import type { ChannelType } from '../../contract/event-types.ts';

/** What the consent asks for, where the settings name nothing else: what receiving, sending and publishing need. */
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

/** The permission whose targets are the customer's chatapp business accounts. */
export const chatappAccountScope = 'whatsapp_business_management';

/** Turns a short-lived token into one of some 60 days. */
export const longLivedGrant = { type: 'fb_exchange_token', parameter: 'fb_exchange_token' } as const;

/** Parameters whose values open something, and must not come back in a text for people. */
export const secretParameters = [
  'access_token',
  'input_token',
  'client_secret',
  'code',
  longLivedGrant.parameter,
] as const;

/** The field of a Page that names its photo account. */
export const linkedPhotoField = 'instagram_business_account';

/** What a Page's subscription sends us. */
export const pageFields = [
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'message_deliveries',
  'messaging_postbacks',
  'feed',
];

/** How a channel that came through the consent is connected. */
export const connectionTypes: Readonly<Record<ChannelType, string>> = {
  chatapp: 'cloud_api',
  photoapp: 'page_login',
  pageapp: 'page_login',
};
