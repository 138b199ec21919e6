import type { Values } from './json-schema.ts';
import { exampleOrigin } from './field-values.ts';

const agency = { name: 'Northwind Agency' };
const organizations = [{ organizationId: 'org_N0rthw1d', ...agency, role: 'admin' }];
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl';
const limits = {
  scopes: ['channel.read', 'deliveries.read'],
  workspaceIds: ['ws_4Tg7LmQ2'],
  allowedCidrs: ['203.0.113.0/24'],
};
const key = { name: 'Order desk', ...limits, createdAt: '2026-01-12T10:00:00.000Z', expiresAt: null };
const customer = { createdAt: '2026-01-12T09:20:00.000Z' };
const agentScopes = { scopes: ['channel.read', 'deliveries.read', 'deliveries.replay'] };
const rights = ['channels.read', 'deliveries.read'];
const portalLink = {
  name: 'Support ticket 118',
  rights,
  useCount: 0,
  lastUsedAt: null,
  createdAt: '2026-01-31T08:00:00.000Z',
  expiresAt: '2026-01-31T09:00:00.000Z',
};

/** Organizations, people, keys and sessions. */
export const organizationValues: Readonly<Record<string, Values>> = {
  Organization: { ...agency, createdAt: '2026-01-12T09:00:00.000Z' },
  OrganizationPatch: agency,
  WorkspaceInput: { externalId: 'customer-4711' },
  WorkspacePatch: { name: 'Sunrise Bakery & Café' },
  Workspace: customer,
  WholeWorkspace: { ...customer, role: 'admin' },
  Member: { role: 'admin', createdAt: '2026-01-12T09:00:00.000Z' },
  MemberRoleInput: { role: 'admin' },
  WorkspaceMember: { role: 'admin', createdAt: '2026-01-12T09:20:00.000Z' },
  WorkspaceMemberRoleInput: { role: 'developer' },
  InvitationInput: { email: 'tom@northwind.example', workspaceId: 'ws_4Tg7LmQ2', workspaceRole: 'developer' },
  Invitation: {
    email: 'tom@northwind.example',
    workspaceId: 'ws_4Tg7LmQ2',
    workspaceRole: 'developer',
    createdAt: '2026-01-31T08:00:00.000Z',
    expiresAt: '2026-02-07T08:00:00.000Z',
  },
  InvitationAcceptInput: { token: 'ExampleInvitationTokenExampleInvitationToke' },
  InvitationAccepted: { workspaceId: 'ws_4Tg7LmQ2', workspaceRole: 'developer' },
  RevealedRotationInput: { overlapSeconds: 3600 },
  RevealedRotation: { endsAt: '2026-01-31T09:00:00.000Z' },
  MemberKeyRevocationInput: { keyIds: ['key_c2Hn7UfK'] },
  MemberKey: { name: 'Order desk', scopes: limits.scopes, createdAt: key.createdAt, expiresAt: null },
  'AuditEntry.actor': { type: 'user', id: 'usr_mArt4Lop' },
  AuditEntry: { workspaceId: 'ws_4Tg7LmQ2', reason: null },
  'StaffAuditEntry.actor': { type: 'staff', id: 'support' },
  StaffAuditEntry: {
    action: 'delivery.retried',
    organizationId: 'org_N0rthw1d',
    workspaceId: 'ws_4Tg7LmQ2',
    targetId: 'wd_Zk9Wq3Lt',
    reason: 'Receiver was down until noon',
  },
  UsageRow: { attempts: 131, workspaceId: 'ws_4Tg7LmQ2' },
  PortalLinkInput: { name: portalLink.name, rights, expiresIn: 3600 },
  PortalLink: portalLink,
  CreatedPortalLink: {
    ...portalLink,
    url: `${exampleOrigin}/portal#ptl_L9rG5vTc.ExamplePortalSecretExamplePortalSecretExamp`,
  },
  PortalSessionInput: { secret: 'ExamplePortalSecretExamplePortalSecretExamp' },
  PortalSession: { accessToken: jwt, rights, expiresAt: portalLink.expiresAt },
  'PortalSession.organization': agency,
  'PortalSession.branding': { displayName: agency.name, color: '#1d4ed8', textColor: '#ffffff' },
  BrandingInput: {
    displayName: agency.name,
    logoUrl: 'https://cdn.northwind.example/logo.png',
    color: '#1d4ed8',
    portalFrameAncestors: ['https://app.northwind.example'],
  },
  Branding: { displayName: agency.name, color: '#1d4ed8', textColor: '#ffffff' },
  SignIn: {
    expiresAt: '2026-01-31T08:10:00.000Z',
    message: 'We have sent a code by email, if the address can get one.',
  },
  AgentClaim: {
    expiresAt: '2026-01-31T08:10:00.000Z',
    message: 'We have sent a code by email, if the address can get one.',
  },
  AgentClaimInput: { ...agentScopes, organizationId: 'org_N0rthw1d' },
  AgentToken: agentScopes,
  AgentCredential: { ...agentScopes, createdAt: '2026-01-31T08:02:00.000Z', lastUsedAt: null },
  EligibleScopes: { organizations: [{ organizationPublicId: 'org_N0rthw1d', role: 'admin', ...agentScopes }] },
  StartedSession: { organizations, accessToken: jwt },
  RefreshedSession: { accessToken: jwt },
  CurrentSession: {
    organizations,
    credential: { kind: 'api_key', id: 'key_c2Hn7UfK', scopes: limits.scopes, workspaceIds: limits.workspaceIds },
  },
  ApiKeyInput: { name: key.name, ...limits },
  ApiKeyPatch: { name: 'Order desk, read only', scopes: ['deliveries.read'] },
  ApiKey: key,
  CreatedApiKey: key,
  ProtectedResource: { scopes_supported: agentScopes.scopes },
};
