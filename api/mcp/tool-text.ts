import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';

/** Tools that return or replace a secret. */
export const secretTools: ReadonlySet<string> = new Set([
  'getChannelToken',
  'rotateChannelToken',
  'getChannelEnv',
  'getWebhookConfig',
  'putWebhookConfig',
  'getWebhookHmac',
  'rotateWebhookHmac',
  'createOnboardingLink',
  'listOnboardingLinks',
  'getOnboardingLink',
  'changeOnboardingLink',
  'regenerateOnboardingLink',
  'setAlertWebhook',
  'rotateAlertWebhookSecret',
]);

export const nextSteps: Readonly<Record<string, string>> = {
  getSession: 'Start here: returns the organizations. listWorkspaces then returns their workspaces.',
  listWorkspaces: 'Other tools take these ids as workspaceId.',
  listChannels: 'Other tools take these ids as channelId.',
  listDeliveries:
    'With `since` set to your last call, it returns what is new. getDelivery returns the payload and responses.',
  getDelivery: 'retryDelivery sends exhausted, cancelled and skipped deliveries again.',
  putWebhookConfig: 'Afterwards testWebhook sends a sample event.',
  createSubscription: 'Afterwards testSubscription sends a sample event.',
  retryDelivery: 'Returns before the delivery is sent. getDelivery shows its outcome.',
  replayDelivery: 'Returns before the delivery is sent. getDelivery with the new deliveryId shows its outcome.',
  createReplay: 'Call it with dryRun first, which only counts. getReplay shows the progress. pauseReplay stops it.',
  applyOrganizationDefaultWebhook:
    'Call it with dryRun first. getOrganizationRollout shows the progress, listOrganizationRolloutResults each channel.',
  applyWorkspaceDefaultWebhook:
    'Call it with dryRun first. getWorkspaceRollout shows the progress, listWorkspaceRolloutResults each channel.',
  setAlertWebhook: 'Afterwards testAlertWebhook sends a test call.',
  createContainer: 'Wait until getContainer returns `finished`, then call publishContainer. Or set autoPublish.',
  publishContainer: 'After CONTAINER_NOT_READY wait for retryAfter seconds and call again.',
  createListener: 'readListener reads new deliveries, and acknowledgeDeliveries ends them.',
  readListener:
    'Acknowledge the deliveries with acknowledgeDeliveries. Otherwise a read without a cursor returns them again.',
  sendMessage: 'The outcome for the recipient follows as a status event.',
  uploadChatappMedia: 'sendMessage sends it by its mediaId.',
  listAgentCredentials: 'revokeAgentCredential ends one.',
  deleteWorkspace: 'This can’t be undone.',
  disconnectChannel: 'Connecting it again requires an onboarding link and the customer’s consent.',
};

/** Omits scopes, because a key sees only the tools that it allows. */
export function descriptionOf(route: RouteDefinition): string {
  const { operationId, summary, description, errors } = route;
  const sentences = [
    `${summary}.`,
    description,
    roleSentence(route),
    secretTools.has(operationId) && 'Returns a secret.',
    errors.includes('PLATFORM_OUTCOME_UNKNOWN') && 'After PLATFORM_OUTCOME_UNKNOWN, check before you repeat it.',
    nextSteps[operationId],
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function roleSentence({ access }: RouteDefinition): string | undefined {
  if (access.auth === 'none' || access.role === 'member') return undefined;
  const { role, within } = access;
  const isOrganization = role === 'organization_admin' || within === 'organization' || within === 'person';
  const people = role === 'developer' ? 'developers' : 'admins';
  return `For ${isOrganization ? 'organization' : 'workspace'} ${people}.`;
}
