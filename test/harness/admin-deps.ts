import type { Knex } from 'knex';
import type { AdminDeps } from '../../admin/commands/deps.ts';
import { readConfig } from '../../process/config.ts';
import { testBodyBox, testSecretBox, testSigningRing } from './tenants.ts';

export interface AdminDepsOptions extends Partial<AdminDeps> {
  readonly env?: Readonly<Record<string, string>>;
}

/** What the commands of an operator get, with the keys of the harness. */
export function adminDeps(db: Knex, { env = {}, ...others }: AdminDepsOptions = {}): AdminDeps {
  const reading = readConfig(env);
  if (!reading.ok) throw new Error(reading.problems.join());
  return {
    db,
    config: reading.config,
    secretBox: () => testSecretBox,
    signingRing: () => testSigningRing,
    bodyBox: () => testBodyBox,
    readInput: () => Promise.resolve(''),
    ...others,
  };
}
