import { CODE_WINDOW_MS, MAX_WRONG_CODES } from '../../contract/identity/email-code.ts';
import { type Scope, scopes } from '../../contract/identity/scopes.ts';

const scopeMeanings: Readonly<Record<Scope, string>> = {
  'workspace.read': 'read the organization, its workspaces and customers',
  'workspace.manage': 'create, rename and delete workspaces and customers, and their members',
  'channel.read': 'read channels and event subscriptions',
  'channel.manage': 'manage channels, publish, reply, moderate; with `channel.reveal`, rotate tokens',
  'channel.reveal': 'see the secrets of a channel: its token, webhook signing secret and verify token',
  'channel.connect': 'connect channels by onboarding links',
  'webhook.manage':
    'read and change webhook destinations and event subscriptions; with `channel.reveal`, read and rotate their secrets; create, read and acknowledge listeners',
  'messages.read': 'read messages and conversations',
  'message.send': 'send messages',
  'deliveries.read': 'read the log of deliveries, and list listeners',
  'deliveries.replay': 'retry and replay deliveries',
  'credentials.manage': "list the person's agent credentials",
};

export function agentGuide(baseUrl: string): string {
  return [
    introduction(baseUrl),
    claimStep(baseUrl),
    completeStep(baseUrl),
    useStep(baseUrl),
    scopeSection(),
    errorSection(),
  ].join('\n');
}

const introduction = (baseUrl: string): string => `# Get an API key as an agent

You act for a person. They get an email with a six-digit code and tell it to you. You need no browser and no password.
The API is at ${baseUrl}; its OpenAPI document is ${baseUrl}/openapi.json, and
${baseUrl}/llms.txt lists the guides as Markdown. Send and expect JSON bodies.
`;

const claimStep = (baseUrl: string): string => `## 1. Claim

Ask the person for their email address. Request only the scopes that you need (see below).

\`\`\`http
POST ${baseUrl}/agent/auth/claim
Content-Type: application/json

{"email": "person@example.com", "scopes": ["channel.read", "deliveries.read"]}
\`\`\`

Response 202:

\`\`\`json
{"registrationId": "reg_…", "expiresAt": "2026-01-01T00:10:00.000Z", "message": "…"}
\`\`\`

Keep \`registrationId\`. The response is the same whether or not the address has an account. The optional field
\`organizationId\` (\`org_…\`) selects one of the person's organizations. Default: their oldest one.
A person without an organization gets a new one.

## 2. Ask the person for the code

We send a six-digit code to the address. It expires after ${CODE_WINDOW_MS / 60_000} minutes and works once.
`;

const completeStep = (baseUrl: string): string => `## 3. Complete

\`\`\`http
POST ${baseUrl}/agent/auth/claim/complete
Content-Type: application/json

{"registrationId": "reg_…", "otp": "123456"}
\`\`\`

Response 200:

\`\`\`json
{"accessToken": "hmok_…", "tokenType": "Bearer", "scopes": ["channel.read", "deliveries.read"],
 "credentialId": "ac_…", "organizationPublicId": "org_…", "expiresAt": null}
\`\`\`

\`scopes\` lists the granted scopes: those that you requested and that the person's role allows. Store \`accessToken\` as a
secret: you can't retrieve it again.
`;

const useStep = (baseUrl: string): string => `## 4. Call the API

Send the key with every request:

\`\`\`http
GET ${baseUrl}/platform/channels
Authorization: Bearer hmok_…
X-Workspace-Id: ws_…
\`\`\`

- \`GET /organizations/{organizationPublicId}/workspaces\` (scope \`workspace.read\`) lists the workspace IDs for
  \`X-Workspace-Id\`.
- \`GET /agent/credentials/eligible-scopes\` lists the scopes that the person can grant.
- \`DELETE /agent/credentials/{credentialId}\` revokes your key when you are done. You can revoke only your own.
- The same operations are available as Model Context Protocol tools at \`${baseUrl}/mcp\` (Streamable HTTP). Only
  there, send the key in the header \`X-API-Key\` instead of \`Authorization\`. The list contains the tools that your
  scopes allow. \`?tools=deliveries,replays\` limits it to these toolsets, \`?readOnly=true\` to tools that change nothing.
- The key also stops working when the person revokes it or leaves the organization. You then get 401 and can claim again.
`;

function scopeSection(): string {
  const lines = scopes.map((scope) => `- \`${scope}\`: ${scopeMeanings[scope]}`);
  return `## Scopes\n\n${lines.join('\n')}\n\nOnly organization admins can grant \`workspace.manage\` and \`credentials.manage\`.\n`;
}

const errorSection = (): string => `## Errors

Every error response is \`{"statusCode", "code", "message", "requestId"}\`.

- 400 \`VALIDATION_ERROR\`: a field is missing, unknown or invalid, for example an unknown scope. The message names each one.
- 422 \`OTP_INVALID\`: the code is wrong. Ask the person again; do not guess.
- 429 \`OTP_LOCKED\`: ${MAX_WRONG_CODES} wrong codes. Claim again.
- 410 \`OTP_EXPIRED\`: the code has expired or was used, or the registration is unknown. Claim again.
- 404 \`ORGANIZATION_NOT_FOUND\`: the person is not in the organization that you requested. Claim again without it.
- 403 \`FORBIDDEN\`: the person's role allows none of the scopes that you requested.
- 403 \`AGENT_SCOPE_INSUFFICIENT\`: your key lacks the scope that the message names. Claim again with it if the person agrees.
- 429 \`RATE_LIMITED\`: too many claims or requests. Wait for the number of seconds in \`Retry-After\`.
- 503 \`SERVICE_UNAVAILABLE\`: the service is temporarily unavailable. Try again after \`Retry-After\`.
- 503 \`WORKFLOW_UNAVAILABLE\`: the service could not start the operation. Try again after \`Retry-After\`.
`;
