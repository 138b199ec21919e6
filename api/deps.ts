import type Router from '@koa/router';
import type { Knex } from 'knex';
import type { Cidr } from '../contract/addresses.ts';
import type { IdKey } from '../contract/ids.ts';
import type { SecretBox } from '../db/secrets.ts';
import type { Log } from '../log.ts';
import type { WorkflowStarts } from './start/workflow-starts.ts';

/** All that the API needs from outside. */
export interface ApiDeps {
  readonly db: Knex;
  readonly secretBox: SecretBox;
  readonly temporal: WorkflowStarts;
  readonly idKey: IdKey;
  readonly tokenSalt: Uint8Array;
  readonly baseUrl: string;
  readonly temporalUiUrl: string | undefined;
  readonly log: Log;
  readonly deployment: 'development' | 'production';
  readonly allowCidrs: readonly Cidr[];
  /** Milliseconds of a monotonic clock, for durations. */
  readonly now: () => number;
  /** The platform's webhooks: mounted ahead of logging, authentication and body parsing. */
  readonly ingest: Router | null;
}
