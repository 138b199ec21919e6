/** Sent with deliveries, test events and circuit probes. */
export const senderUserAgent = 'Service-Webhook-Sender/1.0';
/** Sent with the unsigned probes that verify a URL before it is saved. */
export const verifierUserAgent = 'Service-Webhook-Verifier/1.0';
