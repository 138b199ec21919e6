import { measure, type Measured } from '../figures/figures.ts';
import type { Row } from '../figures/row.ts';
import { startBusy } from '../system/busy.ts';
import { residentMb } from '../system/process-facts.ts';
import { sendBurst } from '../system/traffic.ts';

const EVENTS = 1_000_000;
const EVENTS_PER_BURST = 50_000;
const SAMPLES_AT = [50_000, 250_000, 500_000, 750_000, EVENTS];
const mostMb = { worker: 300, api: 200 };

export const memory: Row = {
  title: 'resident memory of worker and API on the way to 1,000,000 deliveries (takes minutes)',
  async measure({ system, say }) {
    const { resourceIds, worker, api } = await startBusy(system, { count: 10, warmUpEvents: 0 });
    const run: Measured[] = [];
    for (let count = EVENTS_PER_BURST; count <= EVENTS; count += EVENTS_PER_BURST) {
      await sendBurst(system, { resourceIds, count: EVENTS_PER_BURST });
      if (!SAMPLES_AT.includes(count)) continue;
      for (const [part, { pid }] of Object.entries({ worker, api })) {
        const reach = count === EVENTS ? { atMost: mostMb[part as keyof typeof mostMb] } : null;
        const name = `${part} after ${count.toLocaleString('en')} deliveries`;
        run.push(measure(name, [residentMb(pid), 'MB'], reach));
        say(`${name}: ${residentMb(pid)} MB`);
      }
    }
    return { runs: [run], notes: ['One run, ten destinations.'] };
  },
};
