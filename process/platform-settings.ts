import { list, type Setting, text, url } from './setting-values.ts';

/** The part of `settings` that describes the platform and the app there. */
export const platformSettings = {
  platformAppSecret: {
    name: 'PLATFORM_APP_SECRET',
    description: 'Secret that the platform signs its webhooks with.',
    parse: text,
    secret: true,
  },
  platformVerifyToken: {
    name: 'PLATFORM_VERIFY_TOKEN',
    description: "Token that the platform's handshake must carry.",
    parse: text,
    secret: true,
  },
  platformOAuthUrl: {
    name: 'PLATFORM_OAUTH_URL',
    default: 'http://127.0.0.1:{SIMULATOR_PORT}/dialog/oauth',
    description: "The platform's consent page, where customers are sent to connect a channel.",
    parse: url,
  },
  platformApiUrl: {
    name: 'PLATFORM_API_URL',
    default: 'http://127.0.0.1:{SIMULATOR_PORT}',
    description: "The platform's API, without a version.",
    parse: url,
  },
  platformApiVersion: {
    name: 'PLATFORM_API_VERSION',
    default: 'v23.0',
    description:
      "Version at which customers give their consent and credentials are exchanged and refreshed; every other call has its product's own (docs/gateway.md).",
    parse: text.regex(/^v\d{1,3}\.\d{1,2}$/, 'must be of the form v23.0'),
  },
  platformClientId: {
    name: 'PLATFORM_CLIENT_ID',
    default: 'demo-app',
    description: "The app's id at the platform; `PLATFORM_APP_SECRET` is its secret in the exchange of codes too.",
    parse: text,
  },
  platformScopesChatapp: {
    name: 'PLATFORM_OAUTH_SCOPES_CHATAPP',
    default: '',
    description: 'Permissions to ask for on a chatapp number, comma-separated; empty for all that the service uses.',
    parse: list,
  },
  platformScopesPhotoapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PHOTOAPP',
    default: '',
    description: 'The same for a photoapp account.',
    parse: list,
  },
  platformScopesPageapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PAGEAPP',
    default: '',
    description: 'The same for a pageapp Page.',
    parse: list,
  },
  platformChatappWord: {
    name: 'PLATFORM_CHATAPP_WORD',
    default: '',
    description:
      'What chatapp bodies name their product by (`messaging_product`) when they go to the platform; empty for the word ' +
      'that the real one takes. Callers may always write `chatapp`.',
    parse: text.regex(/^[A-Za-z0-9_.-]{0,64}$/, 'must be one word'),
  },
  platformObjectsChatapp: {
    name: 'PLATFORM_OBJECTS_CHATAPP',
    default: '',
    description:
      "Words in a webhook's `object` that mean chatapp, comma-separated, besides `chatapp` itself; empty for that of " +
      'the real platform.',
    parse: list,
  },
  platformObjectsPhotoapp: {
    name: 'PLATFORM_OBJECTS_PHOTOAPP',
    default: '',
    description: 'The same for photoapp.',
    parse: list,
  },
  platformObjectsPageapp: {
    name: 'PLATFORM_OBJECTS_PAGEAPP',
    default: '',
    description: 'The same for pageapp.',
    parse: list,
  },
} satisfies Record<string, Setting>;
