/**
 * The allowlist of channel tokens: the methods allowed on a channel's objects and on their edges. Everything else is
 * refused, so that a new edge that exposes users, apps or tokens stays closed.
 */
export type SubjectKind =
  | 'number'
  | 'business'
  | 'file'
  | 'template'
  | 'photo_account'
  | 'photo_object'
  | 'page'
  | 'page_object'
  | 'thread'
  | 'message';

export type CallMethod = 'GET' | 'POST' | 'DELETE';

export interface EdgeRule {
  readonly methods: readonly CallMethod[];
  /** Optional. The kind of the objects listed or created here, which belong to the same channel. */
  readonly child?: SubjectKind;
  /** Optional. Lists also show objects of others; only objects created here belong to the channel. */
  readonly isMixed?: true;
  /** Optional. POST creates media containers; only its response shows who owns them. */
  readonly makesContainers?: true;
  /** Optional. Parameters name objects of others; the platform checks access. */
  readonly namesOthers?: true;
  /** Optional. Responses contain upload URLs. */
  readonly addresses?: 'uploads';
  readonly namesProduct?: true;
  readonly takesFile?: true;
}

export interface SubjectRule {
  readonly name: string;
  /** Optional. Responses contain a file URL. */
  readonly addresses?: 'media';
  readonly methods: readonly CallMethod[];
  readonly edges: Readonly<Record<string, EdgeRule>>;
}

const numberProfile = 'whatsapp_business_profile';
const numberShop = 'whatsapp_commerce_settings';
/** Greetings, starter questions and the menu. */
const messagingProfile = 'messenger_profile';

const read = { methods: ['GET'] } as const;
const write = { methods: ['POST'] } as const;
const both = { methods: ['GET', 'POST'] } as const;
const all = { methods: ['GET', 'POST', 'DELETE'] } as const;

const photoAccount: SubjectRule = {
  name: 'a photo account',
  methods: ['GET'],
  edges: {
    messages: write,
    media: { ...both, child: 'photo_object', makesContainers: true, addresses: 'uploads' },
    media_publish: { ...write, child: 'photo_object' },
    content_publishing_limit: read,
    stories: { ...read, child: 'photo_object' },
    live_media: { ...read, child: 'photo_object' },
    // Not reachable by id, because they belong to other accounts.
    tags: read,
    // Replies to a mention on another account's object. The platform refuses objects without a mention.
    mentions: { ...write, namesOthers: true },
    product_tags: read,
    recently_searched_hashtags: read,
    upcoming_events: read,
    conversations: { ...read, child: 'thread' },
    insights: read,
    [messagingProfile]: all,
    welcome_message_flows: all,
  },
};

const page: SubjectRule = {
  name: 'a Page',
  methods: ['GET'],
  edges: {
    messages: write,
    message_attachments: { ...write, takesFile: true },
    [messagingProfile]: all,
    feed: { ...both, child: 'page_object' },
    posts: { ...read, child: 'page_object' },
    published_posts: { ...read, child: 'page_object' },
    scheduled_posts: { ...read, child: 'page_object' },
    visitor_posts: { ...read, child: 'page_object' },
    tagged: read,
    ratings: read,
    albums: { ...read, child: 'page_object' },
    events: read,
    picture: read,
    photos: { ...both, child: 'page_object', isMixed: true, takesFile: true },
    videos: { ...both, child: 'page_object', isMixed: true, takesFile: true },
    video_reels: { ...both, child: 'page_object', addresses: 'uploads' },
    photo_stories: { ...write, child: 'page_object' },
    video_stories: { ...write, child: 'page_object', addresses: 'uploads' },
    stories: { ...read, child: 'page_object' },
    conversations: { ...read, child: 'thread' },
    insights: read,
    welcome_message_flows: all,
  },
};

export const subjectRules: Readonly<Record<SubjectKind, SubjectRule>> = {
  number: {
    name: 'a number',
    methods: ['GET'],
    edges: {
      messages: { ...write, namesProduct: true },
      media: { ...write, child: 'file', takesFile: true, namesProduct: true },
      [numberProfile]: { ...both, namesProduct: true },
      block_users: { ...all, namesProduct: true },
      marketing_messages: { ...write, namesProduct: true },
      message_qrdls: both,
      conversational_automation: both,
      [numberShop]: both,
    },
  },
  business: {
    name: "a number's business account",
    methods: ['GET'],
    edges: {
      message_templates: { ...all, child: 'template' },
      upsert_message_templates: { ...write, child: 'template' },
      message_template_previews: read,
      template_analytics: read,
    },
  },
  file: { name: 'a file', methods: ['GET', 'DELETE'], addresses: 'media', edges: {} },
  template: { name: 'a template', methods: ['GET', 'POST'], edges: {} },
  photo_account: photoAccount,
  photo_object: {
    name: 'media, a comment or a container of a photo account',
    methods: ['GET', 'POST', 'DELETE'],
    edges: {
      comments: { ...both, child: 'photo_object' },
      replies: { ...both, child: 'photo_object' },
      children: { ...read, child: 'photo_object' },
      insights: read,
      likes: all,
      product_tags: read,
    },
  },
  page,
  page_object: {
    name: 'a post, a comment, a photo, a video or an album of a Page',
    methods: ['GET', 'POST', 'DELETE'],
    edges: {
      comments: { ...both, child: 'page_object' },
      likes: all,
      reactions: read,
      attachments: read,
      insights: read,
      video_insights: read,
      thumbnails: read,
      captions: read,
      photos: { ...read, child: 'page_object' },
      picture: read,
      sharedposts: read,
    },
  },
  thread: { name: 'a conversation', methods: ['GET'], edges: { messages: { ...read, child: 'message' } } },
  message: { name: 'a message', methods: ['GET'], edges: { attachments: read } },
};
