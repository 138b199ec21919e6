import type { AlertKind, AlertSeverity } from '../../contract/alerts/kinds.ts';
import { Model } from '../core/model.ts';

/** Where an organization gets its alerts by signed calls. Each organization has at most one. */
export class AlertWebhookModel extends Model {
  static override tableName = 'alert_webhooks';
  declare id: number;
  declare organizationId: number;
  declare url: string;
  declare enabled: boolean;
  declare minSeverity: AlertSeverity;
  /** Null for all kinds. */
  declare kinds: readonly AlertKind[] | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
