export { checkDestination } from './check-destination.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { deliveryShard } from './delivery-shard.ts';
export { emailCode } from './email-code.ts';
export { saveWebhook } from './save-webhook.ts';
export { sendInvitation } from './send-invitation.ts';
