import type { Row } from '../figures/row.ts';
import { crash } from './crash.ts';
import { dashboard } from './dashboard.ts';
import { floor } from './floor.ts';
import { hundredMillion } from './hundred-million.ts';
import { ingest } from './ingest.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { steady } from './steady.ts';
import { files } from './files.ts';
import { flaky } from './flaky.ts';
import { handOver } from './hand-over.ts';
import { manySlow } from './many-slow.ts';
import { sharedHost } from './shared-host.ts';
import { workers } from './workers.ts';

export const rows: Readonly<Record<string, Row>> = {
  floor,
  ingest,
  steady,
  latency,
  crash,
  dashboard,
  memory,
  workers,
  files,
  flaky,
  'shared-host': sharedHost,
  'many-slow': manySlow,
  'hand-over': handOver,
  'hundred-million': hundredMillion,
};
