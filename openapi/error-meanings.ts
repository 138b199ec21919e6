import type { ErrorCode } from '../contract/errors.ts';

/** When each error is answered, and what to do, for docs/errors.md. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR:
    'A field, query parameter, header or id has the wrong form. The message names every one. ' +
    'Where a URL leads is checked after that.',
  MALFORMED_JSON: 'The body is not well-formed JSON.',
  UNSUPPORTED_MEDIA_TYPE: 'The body has another content type, or is compressed. Send uncompressed JSON in UTF-8.',
  PAYLOAD_TOO_LARGE: 'The body or file is larger than the limit that the message names.',
  HEADERS_TOO_LARGE: 'The headers of the request are too large. The connection is closed.',
  REQUEST_TIMEOUT: 'The request did not arrive in time. The connection is closed.',
  AUTH_REQUIRED: 'The credential is missing, unknown, revoked or expired.',
  MISSING_BEARER: 'The gateway was called without an Authorization header.',
  CREDENTIAL_NOT_ACCEPTED_HERE: 'A channel token was sent to the API, or an API key to the gateway.',
  FORBIDDEN: 'The role or the kind of credential does not allow this.',
  AGENT_SCOPE_INSUFFICIENT: 'The agent credential lacks the scope that the message names.',
  AGENT_KEY_REVOKE_SELF_ONLY: 'An agent can revoke only its own credential.',
  ADDRESS_NOT_ALLOWED: 'The API key is limited to client addresses, and yours is not one of them.',
  WORKSPACE_ORG_MISMATCH: 'The workspace in X-Workspace-Id belongs to another organization.',
  PAGEAPP_SCOPE_DENIED: 'The token or channel does not own this Page, account, post, comment or thread.',
  PAGEAPP_SCOPE_MISSING: 'The connected account lacks a permission of the platform. Connect it again.',
  ACCOUNT_RESTRICTED:
    'The platform has blocked or restricted the account, or its payment method fails. Nothing was done. Resolve it with ' +
    'the platform.',
  WORKSPACE_NOT_FOUND: 'The workspace is missing, deleted or of another organization.',
  CHANNEL_NOT_FOUND: 'The channel is missing or of another tenant.',
  SUBSCRIPTION_NOT_FOUND: 'The subscription does not belong to the channel or was deleted.',
  LISTENER_NOT_FOUND: 'The listener is missing or was deleted after seven days without a read.',
  DELIVERY_NOT_FOUND: 'The delivery is missing, past its retention or of another tenant.',
  CONTAINER_NOT_FOUND: 'The media container is missing or of another channel.',
  ORGANIZATION_NOT_FOUND: 'The organization is missing, or you do not belong to it.',
  INVITATION_NOT_FOUND: 'The invitation was accepted, revoked or expired, or is for another address.',
  MEMBER_NOT_FOUND: 'The person is not a member.',
  REGISTRATION_NOT_FOUND: 'Reserved. It is never answered; an unknown registration gets `OTP_EXPIRED`.',
  CREDENTIAL_NOT_FOUND: 'The API key or agent credential is missing or of another tenant.',
  ONBOARDING_LINK_NOT_FOUND: 'The onboarding link is missing, replaced or deleted.',
  REPLAY_NOT_FOUND: 'The replay is missing or of another tenant.',
  ROLLOUT_NOT_FOUND: 'The rollout is missing, past its retention or of another tenant.',
  ALERT_NOT_FOUND: 'The alert is missing or of another tenant.',
  EVENT_NOT_FOUND: 'No such event in this organization. Check the ID.',
  ERASURE_NOT_FOUND: 'No such erasure in this organization. List the erasures.',
  SCHEDULED_MESSAGE_NOT_FOUND: 'The scheduled message does not exist in this workspace. List them to find its id.',
  SCHEDULED_POST_NOT_FOUND: 'The scheduled post does not exist in this workspace. List them to find its id.',
  PORTAL_LINK_NOT_FOUND: 'No such portal link in this workspace. List the links.',
  ROUTE_NOT_FOUND: 'No route has this path.',
  METHOD_NOT_ALLOWED: 'The path has no such method. `Allow` lists those it has.',
  CREDENTIAL_REFUSED:
    'The platform refuses the credential of the channel, for example because its owner changed a password. Connect the ' +
    'account again. Events are still received.',
  CHANNEL_DISCONNECTED: 'The account is disconnected. Connect it again with an onboarding link.',
  CHANNEL_ALREADY_CONNECTED: 'The account is connected in another workspace.',
  EXTERNAL_ID_TAKEN: 'Another workspace of the organization has this external id.',
  LIMIT_REACHED: 'The organization or person has as many as are allowed. Delete some first.',
  LAST_ADMIN: 'An organization needs an admin. Make another member admin first.',
  LAST_WORKSPACE: 'An organization needs a workspace.',
  CHANNEL_TYPE_MISMATCH: 'The operation is for another type of channel.',
  CHANNEL_FORWARDING_DISABLED: 'Forwarding of the channel is off. Enable the channel first.',
  WEBHOOK_CONFIG_CHANGED: 'A later save or clear began before this save ended. Read the webhook before you save again.',
  CONTAINER_NOT_READY:
    'The container is still processing, even if it seemed `finished` because the platform hid its status. Publish it after ' +
    '`Retry-After`.',
  CONTAINER_EXPIRED: 'The container has expired. Create a new one.',
  CONTAINER_FAILED: 'The platform could not process the container. `statusDetail` says why.',
  WEBHOOK_NOT_SET: 'The channel has no webhook. Set one first.',
  SUBSCRIPTION_CHANGED: 'A later update of the subscription replaced this one.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another request. Use a new one.',
  DELIVERY_ALREADY_DELIVERED: 'The delivery was delivered. Replay it to send it again.',
  DELIVERY_ENDED:
    'The delivery has ended, so it cannot be cancelled; or its destination is gone or disabled, so nothing can be sent to it. The message says which.',
  REPLAY_ENDED: 'The replay has finished, or was cancelled before it was paused or resumed.',
  DEFAULT_WEBHOOK_NOT_SET: 'The organization or workspace has no default webhook. Set one first.',
  ROLLOUT_RUNNING: 'Another rollout of the default webhook is running. Wait until it ends, or cancel it.',
  ROLLOUT_ENDED: 'The rollout has finished.',
  ALERT_RESOLVED: 'The alert is resolved, so that nothing remains to be done.',
  ALERT_WEBHOOK_NOT_SET: 'The organization has no alert webhook. Set one first.',
  EVENT_ERASED: 'The body of the event was erased. It cannot be sent again.',
  ANSWER_ERASED: 'The call with this Idempotency-Key was made. Its answer was erased, and nothing was sent again.',
  MESSAGE_NOT_SCHEDULED: 'The send of the message has begun or ended, so it can no longer be changed. Read its status.',
  POST_NOT_SCHEDULED: 'The post has started or ended, so it can no longer be changed. Read its status.',
  MESSAGING_WINDOW_CLOSED:
    'The person has not written for too long, or the comment is too old. Nothing was sent. Send a template, or wait until ' +
    'the person writes.',
  CONVERSATION_HELD_ELSEWHERE:
    'Another app controls the conversation. Nothing was sent. Let that app pass it on, or take it there.',
  REPLY_ALREADY_SENT: 'The comment has had its only private reply, or is gone. Nothing was sent. Do not repeat it.',
  DUPLICATE_POST: 'The account has just posted the same. Nothing was posted. Look at the account before you change it.',
  NUMBER_NOT_REGISTERED: 'The number is not registered at the platform, or was deleted there. Register it first.',
  IDEMPOTENCY_KEY_IN_USE:
    'A request with this Idempotency-Key is still running. Nothing was sent again. Repeat it after `Retry-After` to get ' +
    'its answer.',
  OTP_EXPIRED: 'The code has expired or was used. Request a new one.',
  WEBHOOK_URL_VERIFICATION_FAILED:
    'A probe of the URL failed, and nothing was saved. `lastVerification` of the webhook says what was found.',
  READ_TOO_SLOW:
    'The database ended the read after ten seconds. Narrow it: a shorter time span, a channel, or fewer rows.',
  URL_NOT_ALLOWED:
    'The URL leads to an address that is not public, or is not https. The message names the field and the address.',
  OTP_INVALID: 'The code is wrong. The message says how many tries are left.',
  RECIPIENT_UNREACHABLE:
    'The person cannot receive messages from this account: blocked, gone, not a user, or opted out. Nothing was sent. Do ' +
    'not repeat it.',
  MESSAGE_WITHHELD:
    'The platform keeps this message from this person, for example because of too much marketing. Nothing was sent. Do ' +
    'not repeat it within a day.',
  TEMPLATE_REJECTED:
    'The template is missing, paused or disabled, or does not match the parameters. Nothing was sent. Correct it.',
  MEDIA_REJECTED:
    'The platform cannot fetch or use the file. Nothing was published or sent. Check its address, format and size.',
  RATE_LIMITED: 'Too many requests. Try again after `Retry-After`.',
  OTP_LOCKED: 'Too many wrong codes. Request a new code after `Retry-After`.',
  PUBLISH_QUOTA_EXCEEDED: "The account's publishing quota is used up. Try again after `Retry-After`.",
  PLATFORM_RATE_LIMITED:
    'The platform limits the account, the number or the app of this installation. Nothing was done. Repeat it after ' +
    '`Retry-After`; earlier repeats can prolong it.',
  RECIPIENT_RATE_LIMITED:
    'The account sends too many messages to this person. Nothing was sent. Repeat it after `Retry-After`; you can ' +
    'still write to others.',
  INTERNAL: 'An unexpected error. Quote the `requestId` when you contact support.',
  BODY_UNREADABLE: 'A stored body cannot be decrypted, because its key is missing. Contact the operator.',
  PLATFORM_REJECTED:
    "The platform refused the operation with a code that has no code here. Nothing was done. The message has the platform's " +
    'code and text.',
  SERVICE_UNAVAILABLE: 'The service cannot reach its database, or is stopping. Try again after `Retry-After`.',
  PLATFORM_UNAVAILABLE:
    'The platform could not be reached, or could not do it. Nothing was done. Try again after `Retry-After`.',
  WORKFLOW_UNAVAILABLE: 'Nothing was started, because the workflow service is unreachable. Try again.',
  PLATFORM_OUTCOME_UNKNOWN: 'The response was lost. Check what the message names before you repeat the request.',
};
