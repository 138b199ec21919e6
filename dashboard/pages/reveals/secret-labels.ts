import type { Schema } from '../../../client/create-client.ts';

export const secretLabels: Readonly<Record<Schema<'SecretReveal'>['kind'], string>> = {
  token: 'Channel token',
  webhook_secret: 'Signing secret',
  verify_token: 'Verify token',
};
