/** Webhook candidates share the config's context, so that saving can copy the token. */
export const sealedContexts = {
  apiKeyToken: (keyId: string) => `api_keys.token/${keyId}`,
  credentialToken: (credentialId: string) => `connection_credentials.token/${credentialId}`,
  channelToken: (channelId: string) => `channel_tokens.token/${channelId}`,
  webhookSecret: (channelId: string) => `webhook_secrets.secret/${channelId}`,
  verifyToken: (channelId: string) => `webhook_configs.verify_token/${channelId}`,
  defaultVerifyToken: (ownerId: string) => `default_webhooks.verify_token/${ownerId}`,
  invitationToken: (invitationId: string) => `invitations.token/${invitationId}`,
  onboardingToken: (linkId: string) => `onboarding_links.token/${linkId}`,
  onboardingNotificationSecret: (linkId: string) => `onboarding_links.notification_secret/${linkId}`,
  alertWebhookSecret: (organizationId: string) => `alert_webhook_secrets.secret/${organizationId}`,
  destinationCredentials: (channelId: string) => `destinations.credentials/${channelId}`,
  onboardingChoice: (attemptId: string) => `onboarding_attempts.token/${attemptId}`,
  scheduledMessage: (messageId: string) => `scheduled.message/${messageId}`,
} as const;

export interface SealedColumn {
  readonly table: string;
  /** Optional. Default: `id`. */
  readonly key?: string;
  readonly column: string;
  /** SQL over the alias `t`. */
  readonly owner: string;
  readonly context: (ownerId: string) => string;
}

const channelOfRow = '(select c.public_id from channels c where c.id = t.channel_id)';

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', column: 'token_encrypted', owner: 't.public_id', context: sealedContexts.apiKeyToken },
  {
    table: 'connection_credentials',
    column: 'token_encrypted',
    owner: 't.public_id',
    context: sealedContexts.credentialToken,
  },
  { table: 'channel_tokens', column: 'token_encrypted', owner: channelOfRow, context: sealedContexts.channelToken },
  { table: 'webhook_secrets', column: 'secret_encrypted', owner: channelOfRow, context: sealedContexts.webhookSecret },
  {
    table: 'webhook_configs',
    key: 'channel_id',
    column: 'verify_token_encrypted',
    owner: channelOfRow,
    context: sealedContexts.verifyToken,
  },
  {
    table: 'webhook_candidates',
    column: 'verify_token_encrypted',
    owner: channelOfRow,
    context: sealedContexts.verifyToken,
  },
  {
    table: 'default_webhooks',
    column: 'verify_token_encrypted',
    owner: `coalesce((select w.public_id from workspaces w where w.id = t.workspace_id),
      (select o.public_id from organizations o where o.id = t.organization_id))`,
    context: sealedContexts.defaultVerifyToken,
  },
  { table: 'invitations', column: 'token_encrypted', owner: 't.public_id', context: sealedContexts.invitationToken },
  {
    table: 'onboarding_links',
    column: 'token_encrypted',
    owner: 't.public_id',
    context: sealedContexts.onboardingToken,
  },
  {
    table: 'onboarding_links',
    column: 'notification_secret_encrypted',
    owner: 't.public_id',
    context: sealedContexts.onboardingNotificationSecret,
  },
  {
    table: 'alert_webhook_secrets',
    column: 'secret_encrypted',
    owner: `(select o.public_id from alert_webhooks h join organizations o on o.id = h.organization_id
      where h.id = t.alert_webhook_id)`,
    context: sealedContexts.alertWebhookSecret,
  },
  {
    table: 'destinations',
    column: 'credentials_encrypted',
    owner: channelOfRow,
    context: sealedContexts.destinationCredentials,
  },
  {
    table: 'onboarding_attempts',
    column: 'token_encrypted',
    owner: 't.id::text', // attempts have no public id
    context: sealedContexts.onboardingChoice,
  },
  { table: 'scheduled', column: 'message_encrypted', owner: 't.public_id', context: sealedContexts.scheduledMessage },
];
