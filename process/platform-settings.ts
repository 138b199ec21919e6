import { list, type Setting, text, url } from './setting-values.ts';

export const platformSettings = {
  platformAppSecret: {
    name: 'PLATFORM_APP_SECRET',
    description: 'Secret with which the platform signs its webhooks.',
    parse: text,
    secret: true,
  },
  platformVerifyToken: {
    name: 'PLATFORM_VERIFY_TOKEN',
    description: 'Token that the platform sends in its webhook handshake.',
    parse: text,
    secret: true,
  },
  platformOAuthUrl: {
    name: 'PLATFORM_OAUTH_URL',
    default: 'http://127.0.0.1:{SIMULATOR_PORT}/dialog/oauth',
    description: "The platform's consent page, to which customers are redirected to connect a channel.",
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
      'API version for consent and for exchanging and refreshing credentials. Other calls use the version of their product (docs/gateway.md).',
    parse: text.regex(/^v\d{1,3}\.\d{1,2}$/, 'must be of the form v23.0'),
  },
  platformClientId: {
    name: 'PLATFORM_CLIENT_ID',
    default: 'demo-app',
    description: "The app's id at the platform. `PLATFORM_APP_SECRET` is its client secret.",
    parse: text,
  },
  platformScopesChatapp: {
    name: 'PLATFORM_OAUTH_SCOPES_CHATAPP',
    default: '',
    description:
      'Permissions to request for a chatapp number, comma-separated. Empty requests all that the service uses.',
    parse: list,
  },
  platformScopesPhotoapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PHOTOAPP',
    default: '',
    description: 'Permissions to request for a photoapp account.',
    parse: list,
  },
  platformScopesPageapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PAGEAPP',
    default: '',
    description: 'Permissions to request for a pageapp Page.',
    parse: list,
  },
  platformChatappWord: {
    name: 'PLATFORM_CHATAPP_WORD',
    default: '',
    description:
      'Value of `messaging_product` in chatapp requests to the platform. Empty uses the value of the real platform. ' +
      'Callers always write `chatapp`.',
    parse: text.regex(/^[A-Za-z0-9_.-]{0,64}$/, 'must be one word'),
  },
  platformObjectsChatapp: {
    name: 'PLATFORM_OBJECTS_CHATAPP',
    default: '',
    description:
      "Values of a webhook's `object` that mean chatapp, besides `chatapp` itself, comma-separated. Empty uses the " +
      'value of the real platform.',
    parse: list,
  },
  platformObjectsPhotoapp: {
    name: 'PLATFORM_OBJECTS_PHOTOAPP',
    default: '',
    description: 'Values of `object` that mean photoapp.',
    parse: list,
  },
  platformObjectsPageapp: {
    name: 'PLATFORM_OBJECTS_PAGEAPP',
    default: '',
    description: 'Values of `object` that mean pageapp.',
    parse: list,
  },
} satisfies Record<string, Setting>;
