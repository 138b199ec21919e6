/** The processes that may have a role of their own (`db/roles/`). */
export type DatabaseProcess = 'api' | 'worker' | 'gateway';

/** A function that runs with the rights of the tables' owner (`db/roles/owner-functions.ts`). */
export interface OwnerFunction {
  readonly name: string;
  /** Optional. Default: none. */
  readonly parameters?: string;
  readonly returns: string;
  /** In PL/pgSQL. */
  readonly body: string;
  readonly callers: readonly DatabaseProcess[];
}
