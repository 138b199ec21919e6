/** The secrets of a channel: its gateway token, its signing secret, and the Verify Token for probes. */
export const secretKinds = ['token', 'webhook_secret', 'verify_token'] as const;
export type SecretKind = (typeof secretKinds)[number];
