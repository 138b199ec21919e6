import type { Row } from '../figures/row.ts';
import { backlog } from './backlog.ts';
import { containers } from './containers.ts';
import { crash } from './crash.ts';
import { dashboard } from './dashboard.ts';
import { delivery } from './delivery.ts';
import { encryption } from './encryption.ts';
import { floor } from './floor.ts';
import { gateway } from './gateway.ts';
import { fairness } from './fairness.ts';
import { history } from './history.ts';
import { hundredMillion } from './hundred-million.ts';
import { ingest } from './ingest.ts';
import { latency } from './latency.ts';
import { layout } from './layout.ts';
import { many } from './many.ts';
import { memory } from './memory.ts';
import { recovery } from './recovery.ts';
import { steady } from './steady.ts';
import { flaky } from './flaky.ts';
import { handOver } from './hand-over.ts';
import { manySlow } from './many-slow.ts';
import { sharedHost } from './shared-host.ts';
import { traces } from './traces.ts';
import { workers } from './workers.ts';

export const rows: Readonly<Record<string, Row>> = {
  delivery,
  floor,
  ingest,
  steady,
  encryption,
  traces,
  latency,
  crash,
  gateway,
  history,
  layout,
  many,
  backlog,
  containers,
  dashboard,
  memory,
  fairness,
  recovery,
  workers,
  flaky,
  'shared-host': sharedHost,
  'many-slow': manySlow,
  'hand-over': handOver,
  'hundred-million': hundredMillion,
};
