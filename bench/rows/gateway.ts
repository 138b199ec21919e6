import { insertToken } from '../../db/channels/tokens.ts';
import { readInstallation } from '../../db/core/installation.ts';
import { freePort } from '../../dev/processes/ports.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { startRemote } from '../remotes/remote.ts';
import { repeat, type Row } from '../figures/row.ts';
import { seedChannels } from '../system/seed.ts';
import type { SendTargetCalls } from '../remotes/send-target-process.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import type { System } from '../system/system.ts';

const RATE_PER_SECOND = 500;
const PACED_COUNT = 10_000;
const FULL_SPEED_COUNT = 15_000;
const CONNECTIONS = 32;
const MS_PER_SECOND = 1000;
const target = new URL('../remotes/send-target-process.ts', import.meta.url).pathname;

const specs: readonly FigureSpec[] = [
  { name: 'added at 500/s, p50', unit: 'ms', reach: { atMost: 2 } },
  { name: 'added at 500/s, p99', unit: 'ms', reach: { atMost: 10 } },
  { name: 'through the gateway at 500/s, p50', unit: 'ms' },
  { name: 'through the gateway at 500/s, p99', unit: 'ms' },
  { name: 'straight to the platform at 500/s, p50', unit: 'ms' },
  { name: 'straight to the platform at 500/s, p99', unit: 'ms' },
  { name: 'sends through the gateway at full speed', unit: 'per second' },
];

export const gateway: Row = {
  title: 'what the gateway adds to a send at 500/s, and how many sends it carries',
  async measure({ system, say }) {
    const platform = await startRemote<SendTargetCalls>(target);
    try {
      const platformUrl = await platform.call('address', undefined);
      const { gatewayPort, path, token } = await startGateway(system, platformUrl);
      const platformPort = Number(new URL(platformUrl).port);
      const sends = { system, path, token };
      await paced({ ...sends, port: gatewayPort });
      const runs = await repeat(async () => {
        const straight = await paced({ ...sends, port: platformPort });
        const through = await paced({ ...sends, port: gatewayPort });
        const rate = await fullSpeed({ ...sends, port: gatewayPort });
        const measured = figuresOf({ straight, through, rate });
        say(
          `${specs
            .slice(0, 2)
            .map(({ name }) => `${name} ${measured[name]?.toFixed(2)} ms`)
            .join(', ')}`,
        );
        return measured;
      });
      const notes = [
        'Open loop over 32 connections; the platform answers at once; one channel, one token.',
        'Each send looks its token and credential up in PostgreSQL, and is written to the list of calls.',
      ];
      return { figures: toFigures(specs, runs), notes };
    } finally {
      await platform.stop();
    }
  },
};

async function startGateway(system: System, platformUrl: string) {
  const { db, secretBox } = system;
  const [channel] = await seedChannels({ db, secretBox, count: 1, destinationUrl: () => system.sinkUrl });
  if (!channel) throw new Error('No channel was seeded');
  const { public_id: channelPublicId } = await db('channels').where({ id: channel.id }).first('public_id');
  const { tokenSalt } = await readInstallation(db);
  const { token } = await insertToken(
    db,
    { secretBox, tokenSalt },
    { channelId: channel.id, channelPublicId, holder: null },
  );
  const gatewayPort = await freePort();
  await system.startGateway({
    GATEWAY_PORT: String(gatewayPort),
    PLATFORM_API_URL: platformUrl,
    GATEWAY_RATE_PER_MINUTE: '10000000',
  });
  return { gatewayPort, token, path: `/platform/v22.0/${channel.resourceId}/messages` };
}

interface Sends {
  readonly system: System;
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

async function paced(sends: Sends): Promise<Float64Array> {
  const times = await send(sends, { count: PACED_COUNT, ratePerSecond: RATE_PER_SECOND });
  return durationsMs(times.sentAtMs, times.answeredAtMs);
}

async function fullSpeed(sends: Sends): Promise<number> {
  const { sentAtMs, answeredAtMs } = await send(sends, { count: FULL_SPEED_COUNT });
  const tookMs = Math.max(...answeredAtMs) - Math.min(...sentAtMs);
  return (FULL_SPEED_COUNT / tookMs) * MS_PER_SECOND;
}

async function send(
  { system, port, path, token }: Sends,
  { count, ratePerSecond }: { readonly count: number; readonly ratePerSecond?: number },
) {
  await system.publisher.call('prepareSame', { port, count, bytes: requestBytes({ port, path, token }) });
  const pace = ratePerSecond === undefined ? {} : { ratePerSecond };
  const times = await system.publisher.call('publish', { connections: CONNECTIONS, ...pace });
  if (times.refusedCount > 0) throw new Error(`${times.refusedCount} sends were rejected`);
  return times;
}

function requestBytes({ port, path, token }: Omit<Sends, 'system'>): Buffer {
  const body = JSON.stringify({
    messaging_product: 'chatapp',
    to: '15550100001',
    type: 'text',
    text: { body: 'Your order is on its way.' },
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function figuresOf({ straight, through, rate }: { straight: Float64Array; through: Float64Array; rate: number }) {
  const measured: Record<string, number> = { 'sends through the gateway at full speed': rate };
  for (const percent of [50, 99]) {
    const [with_, without] = [percentile(through, percent), percentile(straight, percent)];
    measured[`added at 500/s, p${percent}`] = with_ - without;
    measured[`through the gateway at 500/s, p${percent}`] = with_;
    measured[`straight to the platform at 500/s, p${percent}`] = without;
  }
  return measured satisfies Measured;
}
