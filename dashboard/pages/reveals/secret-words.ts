import type { Schema } from '../../../client/create-client.ts';

/** The kinds of secrets, as people read them. */
export const secretWords: Readonly<Record<Schema<'SecretReveal'>['kind'], string>> = {
  token: 'Channel token',
  webhook_secret: 'Signing secret',
  verify_token: 'Verify token',
};
