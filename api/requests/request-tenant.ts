import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';
import { addressBlock } from '../../contract/addresses/classify-address.ts';
import type { ShareOwner } from '../../process/shares.ts';
import { rememberOrganization } from './request-turns.ts';
import type { ApiContext, ApiState } from './state.ts';

/** Whose statements a request sends, so that the pools of the database serve tenants in rotation. */
interface RequestTenant {
  key: string;
}

const tenants = new AsyncLocalStorage<RequestTenant | undefined>();

const ORGANIZATION = 'organization:';

/** Undefined outside of requests. */
export function requestTenant(): string | undefined {
  return tenants.getStore()?.key;
}

/** For loops that serve all tenants and that a request starts. */
export function outsideRequests(act: () => void): void {
  tenants.run(undefined, act);
}

/** Until the caller is authenticated, the client address counts. */
export function tenantOfRequest(): Middleware<ApiState> {
  return async (ctx, next) => await tenants.run({ key: `address:${addressBlock(ctx.ip)}` }, next);
}

export function setOwner(ctx: ApiContext, owner: ShareOwner): void {
  ctx.state.owner = owner;
  const tenant = tenants.getStore();
  const { organizationId, userId } = owner;
  if (organizationId !== undefined) rememberOrganization(ctx, organizationId);
  if (tenant) tenant.key = organizationId === undefined ? `person:${userId}` : `${ORGANIZATION}${organizationId}`;
}
