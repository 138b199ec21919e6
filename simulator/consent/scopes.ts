import type { ChannelType } from '../../contract/event-types.ts';

/** Without it, the platform lists no account of a business. */
export const businessScope = 'business_management';

/** Where a business account's subscriptions name the app. */
export const SUBSCRIBED_APP = 'whatsapp_business_api_data';

/** What a customer grants who agrees to everything. */
export const grantedScopes: Readonly<Record<ChannelType, readonly string[]>> = {
  chatapp: ['whatsapp_business_management', 'whatsapp_business_messaging', businessScope],
  photoapp: [
    'instagram_basic',
    'instagram_content_publish',
    'instagram_manage_comments',
    'instagram_manage_insights',
    'instagram_manage_messages',
    'pages_show_list',
    'pages_manage_metadata',
    'pages_read_engagement',
    businessScope,
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
    businessScope,
  ],
};
