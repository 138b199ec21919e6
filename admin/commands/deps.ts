import type { Knex } from 'knex';
import type { Config } from '../../process/config.ts';
import type { BodyBox } from '../../db/core/body-box.ts';
import type { SecretBox } from '../../db/core/secret-box.ts';
import type { SigningRing } from '../../db/core/signing-keys.ts';

/** What commands work with. */
export interface AdminDeps {
  readonly db: Knex;
  readonly config: Config;
  /** Made on demand: not every command needs the keys. */
  readonly secretBox: () => SecretBox;
  /** Made on demand, from the same keys. */
  readonly signingRing: () => SigningRing;
  readonly bodyBox: () => BodyBox;
  /** All of stdin: the way for secrets, which arguments would show to everybody on the machine. */
  readonly readInput: () => Promise<string>;
}

export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly run: (deps: AdminDeps, args: readonly string[]) => Promise<object>;
}
