import { type FigureSpec, type Measured, toFigures } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { CPU, describeBurst, END_TO_END, measureBurstWith } from './ingest.ts';

const settings = ['false', 'true'] as const;
type Setting = (typeof settings)[number];

const nameOf = (figure: string, setting: Setting): string =>
  `${figure}, ${setting === 'true' ? 'bodies encrypted' : 'bodies in the clear'}`;
const THROUGHPUT_RATIO = 'throughput, encrypted to clear';
const CPU_RATIO = 'processor seconds, encrypted to clear';
const specs: FigureSpec[] = [
  ...settings.map((setting) => ({ name: nameOf(END_TO_END, setting), unit: '/s' })),
  ...settings.map((setting) => ({ name: nameOf(CPU, setting), unit: 's' })),
  { name: THROUGHPUT_RATIO, unit: '' },
  { name: CPU_RATIO, unit: '' },
];

export const encryption: Row = {
  title: 'ingest with bodies encrypted and in the clear by turns: throughput and processor time',
  async measure({ system, say }) {
    const destinationUrl = (): string => `${system.sinkUrl}/webhook`;
    const channels = await seedChannels({ ...system, count: 1, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    const runs = await repeat(async (index) => {
      const measured: Record<string, number> = {};
      // The order alternates, because the tables grow.
      for (const setting of index % 2 === 0 ? settings : settings.toReversed()) {
        Object.assign(measured, await measureWith(system, { setting, resourceIds }));
      }
      const run = { ...measured, ...ratiosOf(measured) };
      say(`throughput ${run[THROUGHPUT_RATIO]!.toFixed(3)}, processor time ${run[CPU_RATIO]!.toFixed(3)}`);
      return run;
    });
    return { figures: toFigures(specs, runs), notes: [describeBurst()] };
  },
};

interface With {
  readonly setting: Setting;
  readonly resourceIds: readonly string[];
}

async function measureWith(system: System, { setting, resourceIds }: With): Promise<Measured> {
  const env = { ENCRYPT_EVENT_BODIES: setting };
  const { eventsPerSecond, cost } = await measureBurstWith(system, { env, resourceIds });
  return { [nameOf(END_TO_END, setting)]: eventsPerSecond, [nameOf(CPU, setting)]: cost.total };
}

function ratiosOf(measured: Measured): Measured {
  const ratio = (figure: string): number => measured[nameOf(figure, 'true')]! / measured[nameOf(figure, 'false')]!;
  return { [THROUGHPUT_RATIO]: ratio(END_TO_END), [CPU_RATIO]: ratio(CPU) };
}
