export const senderUserAgent = 'Service-Webhook-Sender/1.0';
export const verifierUserAgent = 'Service-Webhook-Verifier/1.0';
