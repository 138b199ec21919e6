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
  /** Takes a file as multipart/form-data. */
  readonly takesFile?: true;
}

export interface SubjectRule {
  /** On the object itself. */
  readonly methods: readonly CallMethod[];
  readonly edges: Readonly<Record<string, EdgeRule>>;
}

const numberProfile = 'whatsapp_business_profile';
/** Greetings, starter questions and the menu. */
const messagingProfile = 'messenger_profile';

const read = { methods: ['GET'] } as const;
const write = { methods: ['POST'] } as const;
const both = { methods: ['GET', 'POST'] } as const;
const all = { methods: ['GET', 'POST', 'DELETE'] } as const;

const photoAccount: SubjectRule = {
  methods: ['GET'],
  edges: {
    messages: write,
    media: { ...both, child: 'photo_object' },
    media_publish: { ...write, child: 'photo_object' },
    content_publishing_limit: read,
    stories: { ...read, child: 'photo_object' },
    live_media: { ...read, child: 'photo_object' },
    // Of other accounts: seen here, and not reached by their ids.
    tags: read,
    conversations: { ...read, child: 'thread' },
    insights: read,
    [messagingProfile]: all,
    welcome_message_flows: all,
  },
};

const page: SubjectRule = {
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
    photos: { ...both, child: 'page_object', isMixed: true, takesFile: true },
    videos: { ...both, child: 'page_object', isMixed: true, takesFile: true },
    video_reels: { ...both, child: 'page_object' },
    photo_stories: { ...write, child: 'page_object' },
    video_stories: { ...write, child: 'page_object' },
    stories: { ...read, child: 'page_object' },
    conversations: { ...read, child: 'thread' },
    insights: read,
  },
};

export const subjectRules: Readonly<Record<SubjectKind, SubjectRule>> = {
  number: {
    methods: ['GET'],
    edges: {
      messages: write,
      media: { ...write, child: 'file', takesFile: true },
      [numberProfile]: both,
      block_users: all,
    },
  },
  business: { methods: ['GET'], edges: { message_templates: { ...all, child: 'template' } } },
  file: { methods: ['GET', 'DELETE'], edges: {} },
  template: { methods: ['GET', 'POST'], edges: {} },
  photo_account: photoAccount,
  photo_object: {
    methods: ['GET', 'POST', 'DELETE'],
    edges: {
      comments: { ...both, child: 'photo_object' },
      replies: { ...both, child: 'photo_object' },
      children: { ...read, child: 'photo_object' },
      insights: read,
      likes: all,
    },
  },
  page,
  page_object: {
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
    },
  },
  thread: { methods: ['GET'], edges: { messages: { ...read, child: 'message' } } },
  message: { methods: ['GET'], edges: { attachments: read } },
};
