import type { ParameterizedContext } from 'koa';
import type { KeyHolder } from '../db/api-keys.ts';

/** Who calls. */
export type Principal = KeyHolder;

/** What middleware leaves for those behind it. */
export interface ApiState {
  requestId: string;
  /** Ids that the request's log line gets besides its own fields. */
  logFields: Record<string, string>;
}

export type ApiContext = ParameterizedContext<ApiState>;
