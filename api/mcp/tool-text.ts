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
]);

export const nextSteps: Readonly<Record<string, string>> = {
  getSession: 'Begin here: it names the organizations; listWorkspaces then names their workspaces.',
  listWorkspaces: 'Its workspace ids are the workspaceId of other tools.',
  listChannels: 'The id of each is the channelId of other tools.',
  listDeliveries:
    'With `since` at the time of the last look it shows what is new; getDelivery shows a payload and the receiver’s answers.',
  getDelivery: 'Exhausted, cancelled and skipped ones are sent again by retryDelivery.',
  putWebhookConfig: 'Afterwards testWebhook sends a sample event.',
  createSubscription: 'Afterwards testSubscription sends a sample event.',
  retryDelivery: 'Answers before it was sent: getDelivery shows what came of it.',
  replayDelivery: 'Answers before it was sent: getDelivery with the new deliveryId shows what came of it.',
  createReplay: 'Call it with dryRun first: that only counts. getReplay shows how far it is; pauseReplay stops it.',
  createContainer: 'Wait until getContainer says `finished`, then publishContainer; or give autoPublish.',
  publishContainer: 'After CONTAINER_NOT_READY wait for retryAfter seconds and call again.',
  createListener: 'readListener reads what comes, and acknowledgeDeliveries ends what was read.',
  readListener: 'Acknowledge what was read with acknowledgeDeliveries, or it comes again without a cursor.',
  sendMessage: 'The outcome for the recipient comes later, as a status event.',
  uploadChatappMedia: 'sendMessage sends it by its mediaId.',
  listAgentCredentials: 'revokeAgentCredential ends one.',
  deleteWorkspace: 'It can’t be undone.',
  disconnectChannel: 'Connecting it again takes an onboarding link and the customer’s consent.',
};

/** Omits scopes, because a key sees only the tools that it allows. */
export function descriptionOf(route: RouteDefinition): string {
  const { operationId, summary, description, errors } = route;
  const sentences = [
    `${summary}.`,
    description,
    roleSentence(route),
    secretTools.has(operationId) && 'Answers with a secret.',
    errors.includes('PLATFORM_OUTCOME_UNKNOWN') && 'After PLATFORM_OUTCOME_UNKNOWN check before any repeat.',
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
