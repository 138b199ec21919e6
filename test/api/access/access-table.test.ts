import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import { type Access, tenantPrincipals } from '../../../openapi/definitions/route-definition.ts';

/**
 * Who may call what, apart from the definitions of the routes: a changed definition must change this table too. The
 * matrix checks that each route treats each caller as its definition says. A rule has the callers, where the tenant
 * comes from, the role, the scopes of agents, and the right of portals.
 */
const table: Readonly<Record<string, string>> = {
  anyone: `
    startPortalSession signIn completeSignIn refreshSession claimAgentCredential completeAgentClaim
    getProtectedResource getProtectedResourceOfMcp getHealth getReadiness`,
  'staff, installation, member': `
    searchDeliveries readStaffDelivery retryStaffDelivery replayStaffDelivery listUnroutedEvents sendUnroutedEvents
    listStaffChannels getChannelHealth readInvariants readStatus listStaffAuditEntries createStaffReplay listStaffReplays
    getStaffReplay pauseStaffReplay resumeStaffReplay cancelStaffReplay`,
  'tenants, channel, admin, webhook.manage, portal subscriptions.manage':
    'createSubscription editSubscription deleteSubscription testSubscription',
  'tenants, channel, admin, webhook.manage': 'setDestinationOrdering',
  'tenants, channel, developer, channel.manage': 'refreshAccountHealth registerChatappNumber',
  'tenants, channel, member, channel.manage': `
    createContainer publishContainer schedulePost changeScheduledPost cancelScheduledPost replyToPhotoappComment
    moderatePhotoappComment moderatePhotoappMedia publishPageappPost publishPageappReel deletePageappPost
    replyToPageappComment moderatePageappComment`,
  'tenants, channel, member, channel.read, portal subscriptions.read': 'getSubscription listSubscriptions',
  'tenants, channel, member, channel.read': `
    getAccountHealth listContainers getContainer listScheduledPosts getScheduledPost listPhotoappMedia
    listPhotoappComments getPhotoappInsights listPhotoappMentions getPhotoappAccount listPageappPosts
    listPageappComments getPageappInsights getPageappPage listChatappTemplates listOutboundCalls`,
  'tenants, channel, member, deliveries.read, portal deliveries.read': 'listChannelDestinations getChannelStatistics',
  'tenants, channel, member, deliveries.read':
    'listTestEvents getTestEvent listTestEventRequests listListeners getListener',
  'tenants, channel, member, message.send': `
    sendMessage markMessageRead showTyping scheduleMessage listScheduledMessages getScheduledMessage
    changeScheduledMessage cancelScheduledMessage uploadChatappMedia`,
  'tenants, channel, member, messages.read': 'listPhotoappConversations listPageappConversations downloadChatappMedia',
  'tenants, channel, member, webhook.manage': 'createListener deleteListener readListener acknowledgeDeliveries',
  'tenants, channel, organization_admin, channel.manage': 'moveChannel',
  'tenants, header, admin, channel.manage, channel.reveal': 'rotateChannelToken',
  'tenants, header, admin, channel.manage': 'enableChannel disableChannel disconnectChannel',
  'tenants, header, admin, webhook.manage, channel.reveal': 'rotateWebhookHmac',
  'tenants, header, admin, webhook.manage': 'putWebhookConfig deleteWebhookConfig testWebhook',
  'tenants, header, developer, channel.reveal': 'getChannelToken getChannelEnv',
  'tenants, header, developer, webhook.manage, channel.reveal': 'getWebhookHmac',
  'tenants, header, member, channel.read, portal channels.read': 'listChannels getChannel',
  'tenants, header, member, deliveries.read, portal deliveries.read': 'listDeliveries countDeliveries getDelivery',
  'tenants, header, member, deliveries.read': 'streamDeliveries listDeliveryRequests',
  'tenants, header, member, deliveries.replay, portal deliveries.retry': 'retryDelivery cancelDelivery replayDelivery',
  'tenants, header, member, webhook.manage': 'getWebhookConfig',
  'tenants, organization, admin, channel.connect': `
    createOnboardingLink listOnboardingLinks getOnboardingLink changeOnboardingLink revokeOnboardingLink
    regenerateOnboardingLink`,
  'tenants, organization, admin, webhook.manage': `
    getOrganizationDefaultWebhook putOrganizationDefaultWebhook deleteOrganizationDefaultWebhook
    applyOrganizationDefaultWebhook listOrganizationRollouts getOrganizationRollout listOrganizationRolloutResults
    cancelOrganizationRollout getAlertWebhook setAlertWebhook deleteAlertWebhook rotateAlertWebhookSecret
    testAlertWebhook`,
  'tenants, organization, admin, workspace.manage': 'createWorkspace',
  'tenants, organization, admin, workspace.read': 'getUsage exportUsage',
  'tenants, organization, member, deliveries.read, limited keys': 'listAlerts countAlerts getOverview',
  'tenants, organization, member, workspace.read, limited keys': 'getOrganization listWorkspaces getBranding',
  'tenants, person, member, credentials.manage': 'listCredentialReveals',
  'tenants, person, member, limited keys': 'getSession',
  'tenants, person, member': 'listAgentCredentials getEligibleScopes revokeAgentCredential',
  'tenants, scope, member, channel.manage': 'acknowledgeAlert muteAlert unmuteAlert',
  'tenants, scope, member, deliveries.read, portal replays.read': 'listReplays getReplay',
  'tenants, scope, member, deliveries.read': 'getAlert',
  'tenants, scope, member, deliveries.replay, portal replays.manage':
    'createReplay pauseReplay resumeReplay cancelReplay',
  'tenants, workspace, admin, credentials.manage': 'createPortalLink listPortalLinks revokePortalLink',
  'tenants, workspace, admin, webhook.manage': `
    getWorkspaceDefaultWebhook putWorkspaceDefaultWebhook deleteWorkspaceDefaultWebhook applyWorkspaceDefaultWebhook
    listWorkspaceRollouts getWorkspaceRollout listWorkspaceRolloutResults cancelWorkspaceRollout`,
  'tenants, workspace, admin, workspace.manage': 'updateWorkspace putWorkspaceMember removeWorkspaceMember',
  'tenants, workspace, member, channel.read': 'listAccountHealth',
  'tenants, workspace, member, workspace.read': 'getWorkspace listWorkspaceMembers',
  'tenants, workspace, organization_admin, workspace.manage': 'deleteWorkspace',
  'user and api_key, organization, admin': `
    updateOrganization listOrganizationMembers changeOrganizationMember removeOrganizationMember createInvitation
    listInvitations revokeInvitation listMemberReveals rotateMemberReveals listMemberKeys listAuditEntries
    createErasure listErasures getErasure exportPerson putBranding`,
  'user and api_key, person, member': 'rotateCredentialReveals listScheduledByCredential cancelScheduledByCredential',
  'user, organization, admin': `
    revokeMemberKeys createApiKey listApiKeys changeApiKey revealApiKey revokeApiKey listScheduledByKey
    cancelScheduledByKey`,
  'user, organization, member': 'getAlertPreferences setAlertPreferences',
  'user, person, member': 'createOrganization previewInvitation acceptInvitation signOut signOutEverywhere',
};

function ruleOf(access: Access): string {
  if (access.auth === 'none') return 'anyone';
  const { principals, within, role, scope, alsoScope, portal, admitsLimited } = access;
  const callers = principals.join() === tenantPrincipals.join() ? 'tenants' : principals.join(' and ');
  const right = portal && `portal ${portal}`;
  return [callers, within, role, scope, alsoScope, right, admitsLimited && 'limited keys'].filter(Boolean).join(', ');
}

test('each operation admits the callers of the access table', (t) => {
  const expected = Object.entries(table).flatMap(([rule, operations]) =>
    operations
      .trim()
      .split(/\s+/)
      .map((operationId) => [operationId, rule] as const),
  );
  const actual = routes.map(({ operationId, access }) => [operationId, ruleOf(access)] as const);
  t.deepEqual(Object.fromEntries(actual), Object.fromEntries(expected));
});
