import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface Network {
  /** Gives a name an address at which every listener forwards to one of its targets, like a Service. */
  readonly addService: (name: string, ports: Readonly<Record<number, () => readonly Target[]>>) => Promise<string>;
  /** Lines of /etc/hosts. */
  readonly hosts: () => string;
  readonly stop: () => void;
}

/** A bridge in this process's own network namespace. Nothing outside is reachable. This process knows the names, too. */
export async function startNetwork(folder: string): Promise<Network> {
  await runCommand('ip', ['link', 'set', 'lo', 'up']);
  await runCommand('ip', ['link', 'add', 'pods', 'type', 'bridge']);
  await runCommand('ip', ['address', 'add', '10.77.0.1/16', 'dev', 'pods']);
  await runCommand('ip', ['link', 'set', 'pods', 'up']);
  const names: [string, string][] = [];
  const servers: Server[] = [];
  const hosts = (): string => ['127.0.0.1 localhost', ...names.map((line) => line.join(' '))].join('\n') + '\n';
  const hostsFile = join(folder, 'hosts');
  await writeFile(hostsFile, hosts());
  await runCommand('mount', ['--bind', hostsFile, '/etc/hosts']);
  return {
    async addService(name, ports) {
      const address = `10.77.1.${names.length + 1}`;
      names.push([address, name]);
      await writeFile(hostsFile, hosts());
      await runCommand('ip', ['address', 'add', `${address}/16`, 'dev', 'pods']);
      for (const [port, targets] of Object.entries(ports)) {
        servers.push(await forward({ host: address, port: Number(port) }, targets));
      }
      return address;
    },
    hosts,
    stop: () => servers.forEach((server) => server.close()),
  };
}

/** Refuses connections while there is no target, as a Service without a ready pod. */
async function forward(at: Target, targets: () => readonly Target[]): Promise<Server> {
  let turn = 0;
  const server = createServer((client) => {
    const found = targets();
    const target = found[turn++ % Math.max(1, found.length)];
    client.on('error', () => client.destroy());
    if (!target) {
      client.resetAndDestroy();
      return;
    }
    const upstream = createConnection(target);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(at.port, at.host);
  await once(server, 'listening');
  return server;
}
