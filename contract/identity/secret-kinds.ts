/** The secrets of a channel that the API shows: what opens the gateway, what signs deliveries, what answers probes. */
export const secretKinds = ['token', 'webhook_secret', 'verify_token'] as const;
export type SecretKind = (typeof secretKinds)[number];
