import type { ApiError } from '../../client/errors.ts';

/** What a person does next about a refusal, where the program knows. */
const hints: Readonly<Partial<Record<ApiError['code'], string>>> = {
  AUTH_REQUIRED: 'Sign in with `channels login`, or set SERVICE_API_KEY.',
  CREDENTIAL_NOT_ACCEPTED_HERE:
    'The management API takes an API key (hmok_…); a channel token (hmat_…) is for the gateway.',
  AGENT_SCOPE_INSUFFICIENT:
    'Sign in again with more: `channels login --scopes all`. `channels whoami` shows what there is.',
  AGENT_KEY_REVOKE_SELF_ONLY: 'Sign in as a person with `channels login --session` to revoke other credentials.',
  FORBIDDEN: 'Your role or kind of credential is not enough. `channels whoami` shows both; an admin may do it.',
  WORKSPACE_ORG_MISMATCH: 'The workspace belongs to another organization: see `channels workspaces list`.',
  WORKSPACE_NOT_FOUND: 'See `channels workspaces list` and `channels customers list`.',
  CHANNEL_NOT_FOUND: 'See `channels list`. A channel of another workspace needs --workspace.',
  DELIVERY_NOT_FOUND: 'See `channels deliveries list`. A delivery of another workspace needs --workspace.',
  SUBSCRIPTION_NOT_FOUND: 'See `channels subscriptions list <channel>`.',
  CONTAINER_NOT_FOUND: 'See `channels containers list <channel>`.',
  LISTENER_NOT_FOUND: 'It is deleted when nobody has read it for seven days. Listen again with --new.',
  REPLAY_NOT_FOUND: 'See `channels replays list`.',
  ORGANIZATION_NOT_FOUND: '`channels whoami` shows the organizations that this credential reaches.',
  CHANNEL_DISCONNECTED: 'Connect the account again through an onboarding link: `channels onboarding-links create`.',
  CHANNEL_FORWARDING_DISABLED: 'Turn forwarding on with `channels enable <channel>`.',
  CHANNEL_TYPE_MISMATCH: '`channels show <channel>` says what type of channel it is.',
  CONTAINER_NOT_READY: 'Wait for it with `channels containers wait`, or publish with --wait.',
  WEBHOOK_NOT_SET: 'Set one with `channels webhook set <channel> <url>`.',
  WEBHOOK_CONFIG_CHANGED: 'Somebody else saved it meanwhile: look with `channels webhook show`, then save again.',
  WEBHOOK_URL_VERIFICATION_FAILED: 'Nothing was stored. The receiver must answer both probes: see docs/receiving.md.',
  URL_NOT_ALLOWED: 'The URL must be public and https; `channels listen` forwards events to a local port instead.',
  DELIVERY_ALREADY_DELIVERED: 'Send the event again with `channels deliveries replay`.',
  DELIVERY_ENDED: 'Begin a new schedule with `channels deliveries retry`, or send it again with `… replay`.',
  IDEMPOTENCY_KEY_REUSED: 'The key was used with another body: choose a new --idempotency-key.',
  SUBSCRIPTION_CHANGED: 'Somebody else changed it meanwhile: look again, then repeat.',
  OTP_INVALID: 'Look at the newest mail; five wrong codes end the attempt.',
  OTP_EXPIRED: 'Ask for a new code: `channels login`.',
  OTP_LOCKED: 'Too many wrong codes. Ask for a new one: `channels login`.',
  PLATFORM_OUTCOME_UNKNOWN: 'It may have been done. Do not simply repeat it: look first, as the message says.',
  WORKFLOW_UNAVAILABLE: 'Nothing was begun. Try again in a moment.',
};

export function hintFor(error: ApiError): string | null {
  const { code, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === null ? null : `Try again in ${retryAfterSeconds} s.`;
  const hint = code === 'UNKNOWN' ? 'Does --base-url point at the service itself?' : hints[code];
  return [hint, wait].filter((part) => typeof part === 'string').join(' ') || null;
}
