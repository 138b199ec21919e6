import { MAX_WRONG_CODES } from '../../contract/identity/email-code.ts';
import { type Scope, scopes } from '../../contract/identity/scopes.ts';

const scopeMeanings: Readonly<Record<Scope, string>> = {
  'workspace.read': 'read the organization, its workspaces and customers',
  'workspace.manage': 'create, rename and delete workspaces and customers, and their members',
  'channel.read': 'read channels and event subscriptions',
  'channel.manage': 'manage channels, publish, reply, moderate; with `channel.reveal`, rotate tokens',
  'channel.reveal': 'see the secrets of a channel: its token, webhook signing secret and verify token',
  'channel.connect': 'connect channels by onboarding links',
  'webhook.manage':
    'read and change webhook destinations and event subscriptions; with `channel.reveal`, read and rotate their secrets; make, read and acknowledge listeners',
  'messages.read': 'read messages and conversations',
  'message.send': 'send messages',
  'deliveries.read': 'read the log of deliveries, and list listeners',
  'deliveries.replay': 'retry and replay deliveries',
  'credentials.manage': "list the person's agent credentials",
};

/** What `/auth.md` tells an agent that has no credential yet: all it needs to get one and use it. */
export function agentGuide({ baseUrl, windowMinutes }: { baseUrl: string; windowMinutes: number }): string {
  return [
    introduction(baseUrl),
    claimStep(baseUrl, windowMinutes),
    completeStep(baseUrl),
    useStep(baseUrl),
    scopeSection(),
    errorSection(),
  ].join('\n');
}

const introduction = (baseUrl: string): string => `# Getting an API key as an agent

You act for a person. They read one e-mail and tell you the six digits in it; you need no browser and no password.
The API is at ${baseUrl}; its OpenAPI document is ${baseUrl}/openapi.json. All bodies are JSON.
`;

const claimStep = (baseUrl: string, windowMinutes: number): string => `## 1. Claim

Ask the person for their e-mail address. Ask only for the scopes that you need (listed below).

\`\`\`http
POST ${baseUrl}/agent/auth/claim
Content-Type: application/json

{"email": "person@example.com", "scopes": ["channel.read", "deliveries.read"]}
\`\`\`

Answer 202:

\`\`\`json
{"registrationId": "reg_…", "expiresAt": "2026-01-01T00:10:00.000Z", "message": "…"}
\`\`\`

Keep \`registrationId\`. It is the same answer whether or not the address has an account here. The optional field
\`organizationId\` (\`org_…\`) asks for one of the person's organizations; without it the key is for their oldest one, and
somebody who has none gets an organization of their own.

## 2. Ask the person for the code

An e-mail with a code of six digits goes to the address. It is good for ${windowMinutes} minutes, and once.
`;

const completeStep = (baseUrl: string): string => `## 3. Complete

\`\`\`http
POST ${baseUrl}/agent/auth/claim/complete
Content-Type: application/json

{"registrationId": "reg_…", "otp": "123456"}
\`\`\`

Answer 200:

\`\`\`json
{"accessToken": "hmok_…", "tokenType": "Bearer", "scopes": ["channel.read", "deliveries.read"],
 "credentialId": "ac_…", "organizationPublicId": "org_…", "expiresAt": null}
\`\`\`

\`scopes\` is what you were given: what you asked for, as far as the person's role allows it. Store \`accessToken\` as a
secret: it is shown only here.
`;

const useStep = (baseUrl: string): string => `## 4. Act

Send the key with every request:

\`\`\`http
GET ${baseUrl}/platform/channels
Authorization: Bearer hmok_…
X-Workspace-Id: ws_…
\`\`\`

- \`GET /organizations/{organizationPublicId}/workspaces\` (scope \`workspace.read\`) lists the workspace ids that
  \`X-Workspace-Id\` takes.
- \`GET /agent/credentials/eligible-scopes\` says what the person could give an agent.
- \`DELETE /agent/credentials/{credentialId}\` ends your key when you are done; you can end only your own.
- The same operations are tools of the Model Context Protocol at \`${baseUrl}/mcp\` (Streamable HTTP). There, and only
  there, the key goes into the header \`X-API-Key\` and not into \`Authorization\`. Listed are the tools that your scopes
  allow; \`?tools=deliveries,replays\` lists these toolsets only, and \`?readOnly=true\` nothing that changes anything.
- The key ends too when the person revokes it or leaves the organization: you get 401, and may claim again.
`;

function scopeSection(): string {
  const lines = scopes.map((scope) => `- \`${scope}\`: ${scopeMeanings[scope]}`);
  return `## Scopes\n\n${lines.join('\n')}\n\nMembers who are no organization admins can't give \`workspace.manage\` and \`credentials.manage\`.\n`;
}

const errorSection = (): string => `## Errors

Every refusal is \`{"statusCode", "code", "message", "requestId"}\`.

- 400 \`VALIDATION_ERROR\`: a field is missing, unknown or wrong (an unknown scope, too); the message names each one.
- 422 \`OTP_INVALID\`: not the code. Ask the person again; do not guess.
- 429 \`OTP_LOCKED\`: ${MAX_WRONG_CODES} wrong codes. Claim anew.
- 410 \`OTP_EXPIRED\`: the code is too old or was used already, or the registration is unknown. Claim anew.
- 404 \`ORGANIZATION_NOT_FOUND\`: the person is not in the organization that you asked for. Claim anew without it.
- 403 \`FORBIDDEN\`: the person's role allows none of the scopes that you asked for.
- 403 \`AGENT_SCOPE_INSUFFICIENT\`: your key lacks the scope that the message names. Claim anew with it if the person agrees.
- 429 \`RATE_LIMITED\`: too many claims or requests. Wait for as many seconds as \`Retry-After\` says.
- 503 \`SERVICE_UNAVAILABLE\`: the service has lost its storage for a moment. Try again after \`Retry-After\`.
- 503 \`WORKFLOW_UNAVAILABLE\`: nothing was started. Try again after \`Retry-After\`.
`;
