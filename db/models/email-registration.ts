import type { RegistrationPurpose } from '../../contract/identity/email-code.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import { Model } from '../core/model.ts';

export class EmailRegistrationModel extends Model {
  static override tableName = 'email_registrations';
  declare id: number;
  declare publicId: string;
  declare purpose: RegistrationPurpose;
  /** In lower case. */
  declare email: string;
  declare organizationId: number | null;
  /** Null for a sign-in; empty for an unknown organization. */
  declare scopes: readonly Scope[] | null;
  /** The address itself is not stored. */
  declare clientHash: Buffer;
  /** Hash of the IPv6 /48; null for IPv4. */
  declare networkHash: Buffer | null;
  /** Null unless the address has signed in from this browser. */
  declare browserHash: Buffer | null;
  declare known: boolean;
  declare codeHash: Buffer | null;
  declare codeKeyId: string | null;
  declare wrongCount: number;
  declare status: 'open' | 'completed' | 'locked' | 'expired';
  declare expiresAt: Date;
  declare createdAt: Date;
}

/** A wrong code of the last hour, or one being compared. */
export class CodeTryModel extends Model {
  static override tableName = 'code_tries';
  declare id: number;
  declare clientHash: Buffer;
  declare networkHash: Buffer | null;
  declare triedAt: Date;
}
