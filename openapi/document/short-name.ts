/** Returns the name of an operation by its id: `listDeliveries` is "List deliveries". */
export function shortName(operationId: string): string {
  const words = operationId.replace(/([A-Z])/g, ' $1').toLowerCase();
  const named = names[operationId] ?? words;
  const withAcronyms = named.replace(/\b(?:api|hmac|id|mcp|url)\b/g, (word) => word.toUpperCase());
  return withAcronyms.charAt(0).toUpperCase() + withAcronyms.slice(1);
}

/** Operations whose id says less than a name can. */
const names: Readonly<Record<string, string>> = {
  acknowledgeDeliveries: 'acknowledge deliveries of a listener',
  cancelScheduledByCredential: 'cancel what an agent has scheduled',
  cancelScheduledByKey: 'cancel what a key has scheduled',
  changeOrganizationMember: 'change the role of a member',
  claimAgentCredential: 'request a code for an agent',
  completeAgentClaim: 'exchange the code for a key',
  completeSignIn: 'sign in with a code',
  exportPerson: 'export the data of a person',
  getChannelEnv: 'get environment variables',
  getPageappPage: 'get the Page',
  getPhotoappAccount: 'get the account',
  getProtectedResource: 'get resource metadata',
  getProtectedResourceOfMcp: 'get resource metadata of mcp',
  getWebhookConfig: 'get the webhook',
  getWebhookHmac: 'get the signing secret',
  listCredentialReveals: 'list secrets an agent has read',
  listMemberReveals: 'list secrets a person has read',
  listScheduledByCredential: 'list what an agent has scheduled',
  listScheduledByKey: 'list what a key has scheduled',
  deleteWebhookConfig: 'delete the webhook',
  putBranding: 'set branding',
  putOrganizationDefaultWebhook: 'set organization default webhook',
  putWebhookConfig: 'set the webhook',
  putWorkspaceDefaultWebhook: 'set workspace default webhook',
  putWorkspaceMember: 'set workspace member',
  readListener: 'read deliveries of a listener',
  regenerateOnboardingLink: 'replace the url of an onboarding link',
  rotateCredentialReveals: 'rotate secrets an agent has read',
  rotateMemberReveals: 'rotate secrets a person has read',
  rotateWebhookHmac: 'rotate the signing secret',
  setDestinationOrdering: 'set options of a destination',
  signIn: 'request a sign-in code',
  startPortalSession: 'start a portal session',
};
