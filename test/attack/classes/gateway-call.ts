import type { AttackCase } from '../cases/attack-case.ts';
import { call, type CallOptions } from '../cases/http-call.ts';
import { refusalProblem } from '../cases/response-problems.ts';
import type { World } from '../cases/world.ts';

export interface Held {
  readonly url: string;
  readonly own: string;
  readonly foreign: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly page: string;
}

export const VERSION = '/platform/v25.0';

export function heldBy({ gatewayUrl = '', held, foreignResourceId = '300000000000099' }: World): Held {
  const { token = '', resourceId = '' } = held ?? {};
  const headers = { authorization: `Bearer ${token}` };
  return { url: gatewayUrl, own: resourceId, foreign: foreignResourceId, headers, page: `${VERSION}/${resourceId}` };
}

export function refused(
  { url, headers }: Held,
  route: string,
  options: CallOptions & { readonly name?: string } = {},
): AttackCase {
  const { name = route, ...rest } = options;
  return {
    name: name.length > 160 ? `${name.slice(0, 160)}…` : name,
    expectation: 'a refusal with the Error object',
    attempt: async () => refusalProblem(await call(url, route, { ...rest, headers: { ...headers, ...rest.headers } })),
  };
}
