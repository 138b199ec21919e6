import { idPrefixes } from '../../contract/ids.ts';
import { measureValues } from './measure-values.ts';

/**
 * The values of examples, which tell one story: an agency, Northwind, has connected the accounts of a bakery, Sunrise.
 */

const ids = {
  workspace: '4Tg7LmQ2',
  channel: '8fKq2ZrW',
  subscription: 'Hc5wXn9B',
  organization: 'N0rthw1d',
  connectionCredential: 'pX3vB8yD',
  agentCredential: 'uJ6sR4eM',
  delivery: 'Zk9Wq3Lt',
  event: 'b7Vd2NxS',
  container: 'gY4mC6hP',
  onboardingLink: 'E8jTz5Qa',
  user: 'mArt4Lop',
  apiKey: 'c2Hn7UfK',
  replay: 'sD9vG3bX',
  registration: 'yR5kW8pJ',
  invitation: 'T6qLm4Zn',
  listener: 'aF3xH9uC',
  connectionNotice: 'kV7eP2sN',
  webhookRollout: 'w4BjY6tM',
  alert: 'Q9gR3dLz',
  erasure: 'h5KcX8nF',
  scheduledMessage: 'J2tV7mWq',
  alertCall: 'zP8yS4bH',
  scheduledPost: 'D6nE3kUx',
  portalLink: 'L9rG5vTc',
} as const satisfies Readonly<Record<keyof typeof idPrefixes, string>>;

/** By prefix. */
export const idValues: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, prefix + ids[kind as keyof typeof ids]]),
);

/** By the word in the path. */
export const channelIds = { chatapp: 'ch_8fKq2ZrW', photoapp: 'ch_Ph0toS4n', pageapp: 'ch_P4geSunR' } as const;

export const exampleOrigin = 'https://channels.example.com';
export const receiverUrl = 'https://hooks.northwind.example/channels';
export const examplePayload = JSON.stringify({
  object: 'chatapp',
  entry: [
    {
      id: '102290129340398',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'chatapp',
            metadata: { display_phone_number: '+1 555 0142', phone_number_id: '106540352242922' },
            contacts: [{ profile: { name: 'Ana Torres' }, wa_id: '15550198' }],
            messages: [
              {
                from: '15550198',
                id: 'wamid.HBgLMTU1NTAxOTg',
                timestamp: '1769846400',
                type: 'text',
                text: { body: 'Do you have sourdough today?' },
              },
            ],
          },
        },
      ],
    },
  ],
});
const token = (prefix: string, body: string): string => prefix + body;
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl';
const secret = token('whsec_', 'T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ=');
const channelToken = token('hmat_', 'ExampleOnly0ExampleOnly1ExampleOnly2Example');

/** Candidates by the name of the field. The first that fits the schema is used. */
export const fieldValues: Readonly<Record<string, readonly unknown[]>> = {
  ...measureValues,
  // Names and people
  accountId: ['17841405822304914'],
  acknowledgedBy: ['maria@northwind.example'],
  actor: ['usr_mArt4Lop'],
  businessAccountId: ['102290129340398'],
  caller: ['key_c2Hn7UfK'],
  clientAddress: ['203.0.113.24'],
  createdBy: ['key_c2Hn7UfK'],
  channelName: ['Sunrise Bakery'],
  displayName: ['Sunrise Bakery'],
  email: ['maria@northwind.example'],
  externalId: ['customer-4711'],
  fromId: ['15550198'],
  fromName: ['Ana Torres'],
  metaResourceId: ['106540352242922'],
  organizationName: ['Northwind Agency'],
  participantId: ['15550198'],
  participantName: ['Ana Torres'],
  phoneNumberId: ['106540352242922'],
  recipient: ['15550198'],
  recipientId: ['15550198'],
  resourceId: ['106540352242922'],
  revealedTo: ['maria@northwind.example'],
  sender: ['15550198'],
  personId: ['15550198'],
  username: ['sunrise.bakery'],
  to: ['15550198'],
  // Secrets, all made up
  accessToken: [token('hmok_', 'ExampleOnly0ExampleOnly1ExampleOnly2Example'), jwt],
  apiKey: [token('hmok_', 'ExampleOnly0ExampleOnly1ExampleOnly2Example')],
  hmacSecret: [secret],
  keyPrefix: ['hmok_ExampleOn'],
  keySuffix: ['mple'],
  otp: ['482913'],
  pin: ['482913'],
  password: ['correct horse battery staple'],
  refreshToken: ['ExampleRefreshTokenExampleRefreshTokenExampl'],
  secret: [secret, 'ExamplePortalSecretExamplePortalSecretExamp'],
  token: [channelToken, 'ExampleToken0ExampleToken1ExampleToken2Exam'],
  tokenPrefix: ['hmat_ExampleOn'],
  tokenSuffix: ['mple'],
  verifyToken: ['sunrise-verify-2f9c'],
  VERIFY_TOKEN: ['sunrise-verify-2f9c'],
  WEBHOOK_HMAC_SECRET: [secret],
  CHATAPP_ACCESS_TOKEN: [channelToken],
  CHATAPP_RESOURCE_ID: ['106540352242922'],
  PLATFORM_GRAPH_API_URL: ['https://gateway.example.com/platform/v23.0'],
  SERVICE_CHANNEL_ID: ['ch_8fKq2ZrW'],
  SERVICE_WORKSPACE_ID: ['ws_4Tg7LmQ2'],
  // Addresses
  allowedCidr: ['203.0.113.0/24'],
  baseUrl: ['https://gateway.example.com/platform/v23.0'],
  coverUrl: ['https://cdn.northwind.example/sourdough-cover.jpg'],
  imageUrl: ['https://cdn.northwind.example/sourdough.jpg'],
  link: ['https://sunrise-bakery.example/'],
  logoUrl: ['https://cdn.northwind.example/logo.png'],
  mediaUrl: ['https://cdn.northwind.example/sourdough.jpg'],
  path: ['/v23.0/106540352242922/messages'],
  permalink: ['https://photoapp.example/p/sourdough'],
  portalFrameAncestor: ['https://app.northwind.example'],
  profilePictureUrl: ['https://cdn.northwind.example/sunrise.jpg'],
  resource: [exampleOrigin],
  resource_documentation: [`${exampleOrigin}/auth.md`],
  url: [receiverUrl],
  videoUrl: ['https://cdn.northwind.example/sourdough.mp4'],
  webhookUrl: [receiverUrl],
  website: ['https://sunrise-bakery.example/'],
  // Words
  expected: ['any 2xx status'],
  'hub.challenge': ['1158201444'],
  'hub.mode': ['subscribe'],
  'hub.verify_token': ['vt_4kQ9'],
  action: ['webhook.set', 'hide', 'disable_comments'],
  body: ['Do you have sourdough today?'],
  caption: ['Fresh sourdough, every morning at seven.'],
  category: ['MARKETING', 'Bakery'],
  connectionType: ['oauth'],
  description: ['Fresh sourdough, every morning at seven.'],
  destination: ['webhook'],
  granted: [['messaging', 'management']],
  kind: ['customer', 'deliveries.exhausted', 'sender', 'text', 'user', 'webhook_secret'],
  label: ['Sunrise Bakery'],
  language: ['en_US'],
  message: ['Fresh sourdough, every morning at seven.'],
  messageStatus: ['accepted'],
  method: ['POST'],
  name: ['Sunrise Bakery', 'order_ready'],
  operation: ['messages.send'],
  payload: [examplePayload],
  reason: ['Requested by the customer'],
  responseBody: ['{"ok":true}'],
  resource_name: ['Messaging channels'],
  role: ['member'],
  scope: ['channel:ch_8fKq2ZrW'],
  snippet: ['Do you have sourdough today?'],
  statusDetail: [],
  text: ['Yes, until noon. Shall I keep one for you?'],
  type: ['chatapp', 'webhook'],
  // Parameters
  cursor: ['cur_4Fz0aB1cT7yQ', 'QVFIUm5leHQ'],
  breakdown: ['age'],
  'Idempotency-Key': ['7d1f0c52-order-118'],
  'Last-Event-ID': ['48217-wd_Zk9Wq3Lt'],
  metrics: ['reach'],
  timeframe: ['last_30_days'],
  waitSeconds: [20],
  buckets: [24],
  'X-Hub-Signature-256': ['sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c'],
  'X-Service-Attempt': ['1'],
  'X-Service-Delivery-Id': ['wd_Zk9Wq3Lt'],
  'X-Service-Event-Id': ['evt_b7Vd2NxS'],
  'X-Service-Signature-256': ['sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c'],
  'webhook-id': ['wd_Zk9Wq3Lt'],
  'webhook-timestamp': ['1769846400'],
  'webhook-signature': ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  // Ids of the platform and of other systems
  bodySha256: ['9f2c5b1a7e8d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b'],
  commentId: ['17858893269000001'],
  conversationId: ['t_100012345678901'],
  id: ['17858893269000001'],
  locationId: ['110774245616525'],
  mediaId: ['17895695668004550'],
  messageId: ['wamid.HBgLMTU1NTAxOTg'],
  pageId: ['300000000000001'],
  platformContainerId: ['17889615691921648'],
  platformMessageId: ['wamid.HBgLMTU1NTAxOTg', '15550198'],
  postId: ['300000000000001_122100000000001'],
  replyId: ['17858893269000002'],
  requestId: ['req_mU3vX8qLzT1aYbKd'],
  targetId: ['ch_8fKq2ZrW', '17895695668004550'],
  traceId: ['4bf92f3577b34da6a3ce929d0e0e4736'],
  workflowId: ['replay/rpl_sD9vG3bX'],
};
