import { addresses } from './classes/addresses.ts';
import type { AttackClass } from './cases/attack-case.ts';
import { connections } from './classes/connections.ts';
import { fairness } from './classes/fairness.ts';
import { gateway } from './classes/gateway.ts';
import { ingest } from './classes/ingest.ts';
import { matrix } from './classes/matrix.ts';
import { parsers } from './classes/parsers.ts';
import { receivers } from './classes/receivers.ts';
import { secrets } from './classes/secrets.ts';
import { signIn } from './classes/sign-in.ts';

/** The scan for secrets is last, to see the traces of all other classes. */
export const attackClasses: readonly AttackClass[] = [
  matrix,
  addresses,
  ingest,
  gateway,
  signIn,
  receivers,
  parsers,
  connections,
  fairness,
  secrets,
];
