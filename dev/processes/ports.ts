import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface WantedPort {
  readonly port: number;
  readonly setting: string;
  readonly purpose: string;
}

export class PortsTaken extends Error {
  override name = 'PortsTaken';
}

export async function requireFreePorts(wanted: readonly WantedPort[], host = '127.0.0.1'): Promise<void> {
  const problems: string[] = [];
  for (const [index, one] of wanted.entries()) {
    const earlier = wanted.slice(0, index).find(({ port }) => port === one.port);
    if (earlier) problems.push(`${one.setting} and ${earlier.setting} are both ${one.port}. Change one of them.`);
    else if (!(await isFree(one.port, host))) problems.push(portInUseMessage(one));
  }
  if (problems.length > 0) throw new PortsTaken(problems.join('\n'));
}

const LOWEST = 12_000;
const HIGHEST = 32_000;

/** Longer than any program needs from its choice of a port to its listening. */
const RESERVED_MS = 10 * 60_000;

export interface PortRange {
  readonly lowest: number;
  /** Exclusive. */
  readonly highest: number;
  /** Holds one empty file for each reserved port. */
  readonly folder: string;
}

const portRange: PortRange = {
  lowest: LOWEST,
  highest: HIGHEST,
  folder: join(tmpdir(), `messaging-channels-ports-${userInfo().uid}`),
};

/**
 * Outside the ephemeral range, whose ports outgoing connections may take before the caller listens. Reserved for ten
 * minutes, so that no other process of this user gets it before the caller listens.
 */
export async function freePort(host = '127.0.0.1', range = portRange): Promise<number> {
  await mkdir(range.folder, { recursive: true });
  for (;;) {
    const port = randomInt(range.lowest, range.highest);
    if ((await reserve(join(range.folder, String(port)))) && (await isFree(port, host))) return port;
  }
}

/** False if another process has reserved it in the last ten minutes. */
async function reserve(file: string): Promise<boolean> {
  const isNew = () =>
    writeFile(file, '', { flag: 'wx' }).then(
      () => true,
      () => false,
    );
  if (await isNew()) return true;
  const madeAtMs = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Infinity,
  );
  if (Date.now() - madeAtMs < RESERVED_MS) return false;
  await rm(file, { force: true });
  return await isNew();
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}

function portInUseMessage({ port, setting, purpose }: WantedPort): string {
  return (
    `Port ${port} for ${purpose} is in use by another program. ` +
    `Stop that program (\`lsof -i :${port}\` shows it), or choose another port: ${setting}=${port + 10_000 > 65_535 ? port - 1_000 : port + 10_000} npm start`
  );
}
