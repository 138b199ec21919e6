import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import { Refusal } from '../calls/refusal.ts';

/** Refuses a call that an agent's own token is not allowed; the token that people and full keys share has no limits. */
export function requireTokenScopes({ scopes }: Pick<TokenChannel, 'scopes'>, needed: readonly GatewayScope[]): void {
  const missing = needed.find((scope) => scopes !== null && !scopes.includes(scope));
  if (missing === undefined) return;
  throw new Refusal(
    'AGENT_SCOPE_INSUFFICIENT',
    `This channel token is an agent's own and lacks the scope ${missing}. The agent's key must have it when the token is minted.`,
  );
}
