import type { GatewayScope } from '../../contract/identity/scopes.ts';
import type { TokenChannel } from '../../db/channels/tokens.ts';
import { HttpError } from '../../process/http-errors.ts';

/** Shared tokens are unlimited. */
export function requireTokenScopes({ scopes }: Pick<TokenChannel, 'scopes'>, needed: readonly GatewayScope[]): void {
  const missing = needed.find((scope) => scopes !== null && !scopes.includes(scope));
  if (missing === undefined) return;
  throw new HttpError(
    'AGENT_SCOPE_INSUFFICIENT',
    `This channel token belongs to an agent and lacks the scope ${missing}. Mint a new token with an agent key that has the scope.`,
  );
}
