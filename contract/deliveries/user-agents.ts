/** What receivers see us as: on deliveries, tests and the probes of a circuit included. */
export const senderUserAgent = 'Service-Webhook-Sender/1.0';
/** And on the probes that a URL must pass before it is saved, which are unsigned. */
export const verifierUserAgent = 'Service-Webhook-Verifier/1.0';
