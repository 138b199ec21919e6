import type { Middleware } from 'koa';
import { classifyAddress } from '../../contract/addresses/classify-address.ts';
import { healthRoutes } from '../../openapi/upkeep/health-routes.ts';
import { type Counted, createAddressWindows, createWindows, WINDOW_SECONDS } from '../../process/windows.ts';
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

/** People in one office can connect accounts at the same time. */
const ATTEMPTS_PER_ADDRESS = 30;

export function createRateLimits(numbers: RateLimitNumbers): RateLimits {
  const countRequest = addressCounter('address', numbers.perAddress);
  const credentials = createWindows(numbers.perCredential);
  const countFailure = addressCounter('failures', numbers.failuresPerAddress);
  const countAttempt = addressCounter('attempts', ATTEMPTS_PER_ADDRESS);
  return {
    countRequest,
    async countCredential(caller, id) {
      const counted = credentials.count(id);
      showLimit(caller, 'credential', counted);
      if (counted.isOver) throw new TooManyRequests(counted.resetSeconds);
    },
    countFailure,
    async countAttempt(caller) {
      // A private address identifies a proxy, not a client.
      if (classifyAddress(caller.clientAddress) === 'public') await countAttempt(caller);
    },
  };
}

function addressCounter(name: string, quota: number): (caller: Caller) => Promise<void> {
  const count = createAddressWindows(quota);
  return async (caller) => {
    const { counted, isRefused, by } = count(caller.clientAddress);
    showLimit(caller, by === 'network' ? `${name}-network` : name, counted);
    if (isRefused) throw new TooManyRequests(counted.resetSeconds);
  };
}

function showLimit({ setHeader }: Caller, name: string, { quota, remaining, resetSeconds }: Counted): void {
  setHeader('ratelimit-policy', `"${name}";q=${quota};w=${WINDOW_SECONDS}`);
  setHeader('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
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
