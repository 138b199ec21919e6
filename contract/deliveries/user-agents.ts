export const senderUserAgent = 'Service-Webhook-Sender/1.0';
/** Sent with the unsigned probes before a save. */
export const verifierUserAgent = 'Service-Webhook-Verifier/1.0';
