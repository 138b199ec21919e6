import type { ChannelType } from '../../contract/event-types.ts';

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

/** Its targets are the customer's chatapp business accounts. */
export const chatappAccountScope = 'whatsapp_business_management';

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

export const linkedPhotoField = 'instagram_business_account';

export const pageFields = [
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'message_deliveries',
  'messaging_postbacks',
  'feed',
];

export const connectionTypes: Readonly<Record<ChannelType, string>> = {
  chatapp: 'cloud_api',
  photoapp: 'page_login',
  pageapp: 'page_login',
};
