import { createHmac, randomBytes } from 'node:crypto';
import type { ChannelType } from '../../contract/event-types.ts';

export interface Grant {
  readonly type: ChannelType;
  readonly accountIds: readonly string[];
  /** Optional. The permissions that the consent asked for. Default: those of the type. */
  readonly scopes?: readonly string[];
}

export interface TokenGrant extends Grant {
  readonly kind: 'short' | 'long' | 'page';
  readonly expiresAtMs: number | null;
}

export interface ConsentTokens {
  issueCode(grant: Grant & { redirectUri: string }): string;
  /** A code works once, with the redirect URI that it was issued for. */
  useCode(use: { code: string; redirectUri: string; nowMs: number }): Grant | 'unknown' | 'used' | 'expired';
  issueToken(grant: TokenGrant): string;
  openToken(token: string, nowMs: number): TokenGrant | undefined;
}

const CODE_LIFE_MS = 10 * 60_000;
export const TOKEN_PREFIX = 'SIM';

interface IssuedCode extends Grant {
  readonly redirectUri: string;
  readonly issuedAtMs: number;
  used: boolean;
}

/** Tokens contain their signed grant, so that they outlive the process. */
export function createConsentTokens(appSecret: string): ConsentTokens {
  const codes = new Map<string, IssuedCode>();
  const sign = (text: string): string => createHmac('sha256', appSecret).update(`token/${text}`).digest('base64url');

  return {
    issueCode({ redirectUri, ...grant }) {
      const code = `AQ${randomBytes(48).toString('base64url')}`;
      codes.set(code, { ...grant, redirectUri, issuedAtMs: Date.now(), used: false });
      return code;
    },
    useCode({ code, redirectUri, nowMs }) {
      const issued = codes.get(code);
      if (!issued || issued.redirectUri !== redirectUri) return 'unknown';
      if (issued.used) return 'used';
      issued.used = true;
      if (nowMs - issued.issuedAtMs > CODE_LIFE_MS) return 'expired';
      const { type, accountIds, scopes } = issued;
      return { type, accountIds, ...(scopes && { scopes }) };
    },
    issueToken(grant) {
      const text = Buffer.from(JSON.stringify({ ...grant, salt: randomBytes(6).toString('hex') })).toString(
        'base64url',
      );
      return `${TOKEN_PREFIX}.${text}.${sign(text)}`;
    },
    openToken(token, nowMs) {
      const [prefix, text = '', signature] = token.split('.');
      if (prefix !== TOKEN_PREFIX || signature !== sign(text)) return undefined;
      const grant: TokenGrant = JSON.parse(Buffer.from(text, 'base64url').toString());
      return grant.expiresAtMs !== null && grant.expiresAtMs <= nowMs ? undefined : grant;
    },
  };
}
