import type { Middleware } from 'koa';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import {
  addressBlock,
  addressNetwork,
  classifyAddress,
  SHARES_PER_NETWORK,
} from '../../contract/addresses/classify-address.ts';
import { healthRoutes } from '../../openapi/upkeep/health-routes.ts';
import { TooManyRequests } from './errors.ts';
import type { ApiState } from './state.ts';

/** In memory and per process: stops floods without a database write per request. Not for billing. */
export interface RateLimits {
  countRequest(caller: Caller): Promise<void>;
  countCredential(caller: Caller, credentialId: string): Promise<void>;
  /** Counts a refused credential. Valid credentials pass regardless. */
  countFailure(caller: Caller): Promise<void>;
  /** Counts an onboarding attempt of a public address, which is stored before anyone is known. */
  countAttempt(caller: Caller): Promise<void>;
}

export interface Caller {
  readonly clientAddress: string;
  readonly setHeader: (name: string, value: string) => void;
}

export interface RateLimitNumbers {
  readonly perCredential: number;
  readonly perAddress: number;
  readonly failuresPerAddress: number;
}

const WINDOW_SECONDS = 60;
/** People in one office can connect accounts at the same time. */
const ATTEMPTS_PER_ADDRESS = 30;

interface Limit {
  readonly name: string;
  readonly quota: number;
  readonly limiter: RateLimiterMemory;
}

export function createRateLimits(numbers: RateLimitNumbers): RateLimits {
  const countRequest = addressCounter('address', numbers.perAddress);
  const credential = limitOf('credential', numbers.perCredential);
  const countFailure = addressCounter('failures', numbers.failuresPerAddress);
  const countAttempt = addressCounter('attempts', ATTEMPTS_PER_ADDRESS);
  return {
    countRequest,
    countCredential: (caller, id) => count(credential, caller, id),
    countFailure,
    async countAttempt(caller) {
      // A private address identifies a proxy, not a client.
      if (classifyAddress(caller.clientAddress) === 'public') await countAttempt(caller);
    },
  };
}

/**
 * Counts by address, and IPv6 also by its /48. A request that its block refuses does not count for the /48, so one
 * block uses only one share. An exhausted /48 is refused before its blocks are counted, because they would fill memory.
 */
function addressCounter(name: string, quota: number): (caller: Caller) => Promise<void> {
  const block = limitOf(name, quota);
  const network = limitOf(`${name}-network`, quota * SHARES_PER_NETWORK);
  return async (caller) => {
    const key = addressNetwork(caller.clientAddress);
    if (key !== undefined) await refuseExhausted(network, caller, key);
    await count(block, caller, addressBlock(caller.clientAddress));
    if (key !== undefined) await network.limiter.penalty(key, 1);
  };
}

function limitOf(name: string, quota: number): Limit {
  return { name, quota, limiter: new RateLimiterMemory({ points: quota, duration: WINDOW_SECONDS, keyPrefix: name }) };
}

async function refuseExhausted(limit: Limit, caller: Caller, key: string): Promise<void> {
  const state = await limit.limiter.get(key);
  if (state && state.consumedPoints >= limit.quota) throw new TooManyRequests(showLimit(limit, caller, state));
}

async function count(limit: Limit, caller: Caller, key: string): Promise<void> {
  const state: RateLimiterRes = await limit.limiter.penalty(key, 1);
  const resetSeconds = showLimit(limit, caller, state);
  if (state.consumedPoints > limit.quota) throw new TooManyRequests(resetSeconds);
}

/** Returns the seconds until the window ends. */
function showLimit({ name, quota }: Limit, { setHeader }: Caller, state: RateLimiterRes): number {
  const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  setHeader('ratelimit-policy', `"${name}";q=${quota};w=${WINDOW_SECONDS}`);
  setHeader('ratelimit', `"${name}";r=${state.remainingPoints};t=${resetSeconds}`);
  return resetSeconds;
}

const uncounted = new Set<string>(Object.values(healthRoutes).map(({ path }) => path));

export function addressLimit({ rateLimits }: { rateLimits?: RateLimits | undefined }): Middleware<ApiState> {
  return async (ctx, next) => {
    if (rateLimits && !uncounted.has(ctx.path)) {
      await rateLimits.countRequest({ clientAddress: ctx.ip, setHeader: (name, value) => ctx.set(name, value) });
    }
    await next();
  };
}
