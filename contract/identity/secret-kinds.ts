export const secretKinds = ['token', 'webhook_secret', 'verify_token'] as const;
export type SecretKind = (typeof secretKinds)[number];
