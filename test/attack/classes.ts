import { addresses } from './addresses.ts';
import type { AttackClass } from './attack-case.ts';
import { connections } from './connections.ts';
import { gateway } from './gateway.ts';
import { ingest } from './ingest.ts';
import { matrix } from './matrix.ts';
import { parsers } from './parsers.ts';
import { receivers } from './receivers.ts';
import { secrets } from './secrets.ts';
import { signIn } from './sign-in.ts';

/** Every class, in the order in which they run: the scan for secrets sees what all the others left behind. */
export const attackClasses: readonly AttackClass[] = [
  matrix,
  addresses,
  ingest,
  gateway,
  signIn,
  receivers,
  parsers,
  connections,
  secrets,
];
