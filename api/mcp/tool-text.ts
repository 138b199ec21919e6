import type { RouteDefinition } from '../../contract/routes/definition.ts';

/** These answer with a secret, or take the place of one. */
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

/** What to do before or after, where the summary does not say so. */
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

/** What people are shown: the operation's name in words. */
export function titleOf({ operationId }: RouteDefinition): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a model is told: what it does, who may, and what comes before and after. */
export function descriptionOf(route: RouteDefinition): string {
  const { operationId, summary, query, errors, idempotent } = route;
  const sentences = [
    /[.!?]$/.test(summary) ? summary : `${summary}.`,
    ...accessSentences(route),
    secretTools.has(operationId) &&
      'Its answer holds a secret: show it to nobody but whom it is for, and log it nowhere.',
    query && 'cursor' in query.shape && 'For the next page pass `nextCursor` as `cursor`.',
    errors.includes('PLATFORM_OUTCOME_UNKNOWN') &&
      'After PLATFORM_OUTCOME_UNKNOWN it may have been done: first check what the message says, and never just call again.',
    idempotent && 'With an idempotencyKey of your own, a repeat is the same act and not another one.',
    nextSteps[operationId],
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

function accessSentences({ access }: RouteDefinition): string[] {
  if (access.auth === 'none') return [];
  const { scope, role, within, principals } = access;
  const place =
    role === 'organization_admin' || ['organization', 'person'].includes(within) ? 'organization' : 'workspace';
  return [
    ...(scope === null ? [] : [`Needs the scope ${scope} where the key is limited.`]),
    ...(role === 'member' ? [] : [`Needs the role of ${place} admin.`]),
    ...(principals.includes('agent') ? [] : ["For an organization's own API key only, not for an agent's."]),
  ];
}
