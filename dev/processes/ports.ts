import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

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

/** Outside the ephemeral range, whose ports outgoing connections may take before the caller listens. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port, host)) return port;
  }
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
