import { list, secrets, type Setting, text, url } from './setting-values.ts';

export const platformSettings = {
  platformAppSecrets: {
    name: 'PLATFORM_APP_SECRET',
    readers: ['api', 'worker', 'gateway', 'simulator'],
    description:
      'App secrets at the platform, comma-separated. A webhook may be signed with any of them. The first one exchanges consent codes and proves calls (docs/operators.md).',
    parse: secrets,
    secret: true,
  },
  platformVerifyToken: {
    name: 'PLATFORM_VERIFY_TOKEN',
    readers: ['api', 'simulator'],
    description: 'Token that the platform sends when it verifies the webhook address.',
    parse: text,
    secret: true,
  },
  platformOAuthUrl: {
    name: 'PLATFORM_OAUTH_URL',
    readers: ['api'],
    default: 'http://127.0.0.1:{SIMULATOR_PORT}/dialog/oauth',
    description: "The platform's consent page, where customers connect a channel.",
    parse: url,
  },
  platformApiUrl: {
    name: 'PLATFORM_API_URL',
    readers: ['api', 'worker', 'gateway'],
    default: 'http://127.0.0.1:{SIMULATOR_PORT}',
    description: "Base URL of the platform's API, without a version.",
    parse: url,
  },
  platformApiVersion: {
    name: 'PLATFORM_API_VERSION',
    readers: ['api', 'worker'],
    default: 'v23.0',
    description:
      'API version for customer consent and for exchanging and refreshing credentials. All other calls use the version of their product (docs/gateway.md).',
    parse: text.regex(/^v\d{1,3}\.\d{1,2}$/, 'must be of the form v23.0'),
  },
  platformClientId: {
    name: 'PLATFORM_CLIENT_ID',
    readers: ['api', 'worker', 'simulator'],
    default: 'demo-app',
    description: 'App id at the platform.',
    parse: text,
  },
  platformScopesChatapp: {
    name: 'PLATFORM_OAUTH_SCOPES_CHATAPP',
    readers: ['api', 'worker'],
    default: '',
    description:
      'Permissions to request for a chatapp number, comma-separated. Empty requests all that the service uses (docs/onboarding.md).',
    parse: list,
  },
  platformScopesPhotoapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PHOTOAPP',
    readers: ['api', 'worker'],
    default: '',
    description: 'The same for a photoapp account.',
    parse: list,
  },
  platformScopesPageapp: {
    name: 'PLATFORM_OAUTH_SCOPES_PAGEAPP',
    readers: ['api', 'worker'],
    default: '',
    description: 'The same for a pageapp Page.',
    parse: list,
  },
  platformPageFields: {
    name: 'PLATFORM_PAGE_FIELDS',
    readers: ['api', 'worker'],
    default: '',
    description:
      "Events to subscribe to for Pages and photo accounts, in the platform's words, comma-separated. Empty subscribes to all that the service reads (docs/health.md).",
    parse: list,
  },
} as const satisfies Record<string, Setting>;
