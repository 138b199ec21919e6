import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FigureSpec, type Measured, toFigures } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { CPU, describeBurst, END_TO_END, measureBurstWith } from './ingest.ts';

const OFF = 'no traces';
/** Shares of requests that are sampled. */
const ratios = { [OFF]: null, '1 % sampled': '0.01', '100 % sampled': '1' } as const;
type Setting = keyof typeof ratios;
const settings = Object.keys(ratios) as Setting[];
const sampled = settings.filter((setting) => setting !== OFF);

const nameOf = (figure: string, setting: Setting): string => `${figure}, ${setting}`;
const throughputRatio = (setting: Setting): string => `throughput, ${setting} to ${OFF}`;
const cpuRatio = (setting: Setting): string => `processor seconds, ${setting} to ${OFF}`;
const specs: FigureSpec[] = [
  ...settings.map((setting) => ({ name: nameOf(END_TO_END, setting), unit: '/s' })),
  ...settings.map((setting) => ({ name: nameOf(CPU, setting), unit: 's' })),
  ...sampled.map((setting) => ({ name: throughputRatio(setting), unit: '' })),
  ...sampled.map((setting) => ({ name: cpuRatio(setting), unit: '' })),
];

export const traces: Row = {
  title: 'ingest without traces, with 1 % and with all requests sampled, by turns: throughput and processor time',
  async measure({ system, say }) {
    const collector = await startCollector();
    const destinationUrl = (): string => `${system.sinkUrl}/webhook`;
    const channels = await seedChannels({ ...system, count: 1, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    const measureRound = async (index: number) => {
      const measured: Record<string, number> = {};
      for (const setting of orders[index % orders.length]!) {
        Object.assign(measured, await measureWith(system, { setting, resourceIds, collectorUrl: collector.url }));
      }
      const run = { ...measured, ...ratiosOf(measured) };
      for (const setting of sampled) say(`${setting}: throughput ${run[throughputRatio(setting)]!.toFixed(3)}`);
      return run;
    };
    const runs = (await repeat((index) => rounds(measureRound, index))).flat();
    collector.close();
    return { figures: toFigures(specs, runs), notes: [describeBurst(COUNT)] };
  },
};

/**
 * All orders, so that each setting comes as often after each other one: the database still works on what the burst before
 * left behind. Settings of a round are compared, because the machine's speed drifts.
 */
const orders: readonly (readonly Setting[])[] = settings.flatMap((first) => {
  const [one, other] = settings.filter((setting) => setting !== first) as [Setting, Setting];
  return [
    [first, one, other],
    [first, other, one],
  ];
});

/** Bursts differ by more than traces cost, so each run has several. */
const ROUNDS = 4;
/** Long, because the code for a sampled event runs for one in a hundred, so that it is compiled late. */
const WARM_UP_COUNT = 20_000;
const COUNT = 40_000;

async function rounds<Result>(measureRound: (index: number) => Promise<Result>, run: number): Promise<Result[]> {
  return await repeat((round) => measureRound(run * ROUNDS + round), ROUNDS);
}

/** Reads and ignores spans. Its own time is not in the processor time of the service. */
async function startCollector() {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface With {
  readonly setting: Setting;
  readonly resourceIds: readonly string[];
  readonly collectorUrl: string;
}

async function measureWith(system: System, { setting, resourceIds, collectorUrl }: With): Promise<Measured> {
  const ratio = ratios[setting];
  const env = ratio === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, OTEL_TRACES_SAMPLER_ARG: ratio };
  const { eventsPerSecond, cost } = await measureBurstWith(system, {
    ...{ env, resourceIds },
    ...{ warmUpCount: WARM_UP_COUNT, count: COUNT },
  });
  return { [nameOf(END_TO_END, setting)]: eventsPerSecond, [nameOf(CPU, setting)]: cost.total };
}

function ratiosOf(measured: Measured): Measured {
  const toOff = (figure: string, setting: Setting): number =>
    measured[nameOf(figure, setting)]! / measured[nameOf(figure, OFF)]!;
  return Object.fromEntries(
    sampled.flatMap((setting) => [
      [throughputRatio(setting), toOff(END_TO_END, setting)],
      [cpuRatio(setting), toOff(CPU, setting)],
    ]),
  );
}
