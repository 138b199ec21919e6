/**
 * What a channel token reaches, as data: the kinds of objects that belong to a channel, and what may be done with each
 * and on which of its edges. Whatever is not listed is refused, so that an edge which shows people, apps or tokens is
 * never open because nobody thought of it.
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
  /** The ids that this edge lists or makes are such objects of the same channel. */
  readonly child?: SubjectKind;
  /** Its lists may show objects of others too; only what is made by it belongs to the channel. */
  readonly isMixed?: true;
  /** Its POST makes media containers, of which the platform names no owner: its answer alone says whose they are. */
  readonly makesContainers?: true;
  /** Its parameters name objects of others: the platform itself knows whether the account has a part in them. */
  readonly namesOthers?: true;
  /** Its answers hold addresses that uploads go to. */
  readonly addresses?: 'uploads';
  /** Its bodies name their product. */
  readonly namesProduct?: true;
  /** Takes a file as multipart/form-data. */
  readonly takesFile?: true;
}

export interface SubjectRule {
  /** In words, for callers and for the documentation. */
  readonly name: string;
  /** Its answers hold the address of a file. */
  readonly addresses?: 'media';
  /** On the object itself. */
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
    // Of other accounts: seen here, and not reached by their ids.
    tags: read,
    // An answer to whoever has mentioned the account, under what is theirs; what mentions nobody the platform refuses.
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
    // By visitors, on the Page.
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
