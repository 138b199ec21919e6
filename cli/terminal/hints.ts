import type { ApiError } from '../../client/errors.ts';

const hints: Readonly<Partial<Record<ApiError['code'], string>>> = {
  AUTH_REQUIRED: 'Sign in with `channels login`, or set SERVICE_API_KEY.',
  CREDENTIAL_NOT_ACCEPTED_HERE:
    'The management API takes an API key (hmok_…); a channel token (hmat_…) works only at the gateway.',
  AGENT_SCOPE_INSUFFICIENT:
    'Sign in again with more scopes: `channels login --scopes all`. `channels whoami` shows the current ones.',
  ADDRESS_NOT_ALLOWED: 'The key is limited to other IP addresses. An organization admin can change its list.',
  AGENT_KEY_REVOKE_SELF_ONLY: 'Sign in with `channels login --session` to revoke other credentials.',
  FORBIDDEN: 'Your role or type of credential does not allow this. `channels whoami` shows both. Ask an admin.',
  WORKSPACE_ORG_MISMATCH: 'The workspace belongs to another organization. See `channels workspaces list`.',
  WORKSPACE_NOT_FOUND: 'See `channels workspaces list` and `channels customers list`.',
  CHANNEL_NOT_FOUND: 'See `channels list`. For a channel of another workspace, use --workspace.',
  DELIVERY_NOT_FOUND: 'See `channels deliveries list`. For a delivery of another workspace, use --workspace.',
  SUBSCRIPTION_NOT_FOUND: 'See `channels subscriptions list <channel>`.',
  CONTAINER_NOT_FOUND: 'See `channels containers list <channel>`.',
  LISTENER_NOT_FOUND: 'A listener is deleted after seven days without a read. Listen again with --new.',
  SCHEDULED_MESSAGE_NOT_FOUND: 'See `channels messages scheduled list`.',
  SCHEDULED_POST_NOT_FOUND: 'See `channels containers scheduled list <channel>`.',
  REPLAY_NOT_FOUND: 'See `channels replays list`.',
  ALERT_NOT_FOUND: 'See `channels alerts list`.',
  ORGANIZATION_NOT_FOUND: '`channels whoami` shows the organizations of this credential.',
  CHANNEL_DISCONNECTED: 'Reconnect the account with an onboarding link: `channels onboarding-links create`.',
  CREDENTIAL_REFUSED:
    'Connect the account again: `channels onboarding-links create`. If the platform takes it again: `channels health <channel> --refresh`.',
  CHANNEL_FORWARDING_DISABLED: 'Turn on forwarding with `channels enable <channel>`.',
  CHANNEL_TYPE_MISMATCH: '`channels show <channel>` shows the channel type.',
  PLATFORM_RATE_LIMITED: 'Nothing was done. Wait as long as the message says.',
  RECIPIENT_RATE_LIMITED: 'Nothing was sent. You can still write to other people.',
  MESSAGING_WINDOW_CLOSED: 'Send a template, or wait until the person writes.',
  DUPLICATE_POST: 'Nothing was posted. Look at the account first.',
  IDEMPOTENCY_KEY_IN_USE: 'The first request still runs. Repeat it shortly to get its answer.',
  CONTAINER_NOT_READY: 'Wait with `channels containers wait`, or publish with --wait.',
  ALERT_WEBHOOK_NOT_SET: 'Set one with `channels alerts webhook set <url>`.',
  WEBHOOK_NOT_SET: 'Set one with `channels webhook set <channel> <url>`.',
  WEBHOOK_CONFIG_CHANGED:
    'Another change to the webhook was saved first. Check `channels webhook show`, then save again.',
  WEBHOOK_URL_VERIFICATION_FAILED: 'Nothing was saved. The receiver must answer both probes.',
  URL_NOT_ALLOWED: 'Use a public https URL. To receive events on a local port, use `channels listen`.',
  DELIVERY_ALREADY_DELIVERED: 'To send the event again, use `channels deliveries replay`.',
  DELIVERY_ENDED:
    'Start a new schedule with `channels deliveries retry`, or send the event again with `channels deliveries replay`.',
  IDEMPOTENCY_KEY_REUSED: 'The key was used with another request. Use a new --idempotency-key.',
  SUBSCRIPTION_CHANGED: 'Another change to the subscription was saved first. Check it, then try again.',
  OTP_INVALID: 'Use the code from the latest email. Five wrong codes end the attempt.',
  OTP_EXPIRED: 'Request a new code with `channels login`.',
  OTP_LOCKED: 'Too many wrong codes. Request a new one with `channels login`.',
  PLATFORM_OUTCOME_UNKNOWN: 'The operation may have succeeded. Check as the message says before you repeat it.',
};

const SESSION_HINT =
  'Sign in with `channels login --session --profile me`, then use --profile me and unset SERVICE_API_KEY.';

export function hintFor(error: ApiError): string | null {
  const { code, retryAfterSeconds, helpUrl, message } = error;
  const isSaid = /try again/i.test(message);
  const wait = retryAfterSeconds === null || isSaid ? null : `Try again in ${retryAfterSeconds} s.`;
  const hint = hintOf(error);
  const isEnough = hint !== undefined && code !== 'WEBHOOK_URL_VERIFICATION_FAILED';
  const guide = helpUrl === null || isEnough ? null : `See ${helpUrl}`;
  return [hint, wait, guide].filter((part) => typeof part === 'string').join(' ') || null;
}

function hintOf({ code, message }: ApiError): string | undefined {
  if (code === 'DELIVERY_ENDED' && message.includes("can't be sent")) return undefined; // a retry is refused, too
  if (code === 'UNKNOWN') return 'Check that --base-url points to the service itself.';
  return code === 'FORBIDDEN' && message.includes('It accepts sessions') ? SESSION_HINT : hints[code];
}
