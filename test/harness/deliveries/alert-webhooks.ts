import type { Knex } from 'knex';
import { saveAlertWebhook, type SavedAlertWebhook } from '../../../db/alerts/webhooks.ts';
import { testAudit } from '../audit.ts';
import { type Tenant, testSecretBox } from '../tenants.ts';

/** Returns its secret. */
export async function anAlertWebhook(
  db: Knex,
  { organization }: Pick<Tenant, 'organization'>,
  values: Partial<Pick<SavedAlertWebhook, 'url' | 'enabled' | 'minSeverity' | 'kinds'>> = {},
): Promise<string> {
  const defaults = {
    url: 'https://alerts.example.com/hook',
    enabled: true,
    minSeverity: 'warning',
    kinds: null,
  } as const;
  const key = { organizationId: organization.id, organizationPublicId: organization.publicId };
  const audit = { ...testAudit, organizationId: organization.id };
  const secret = await saveAlertWebhook(db, testSecretBox, { ...key, ...defaults, ...values, audit });
  if (secret === null) throw new Error('The organization has an alert webhook already');
  return secret;
}
