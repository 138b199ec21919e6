import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { freePort } from '../../../dev/processes/ports.ts';
import { until } from '../../harness/until.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

interface Proxying {
  readonly folder: string;
  readonly port: number;
  readonly serviceUrl: string;
}

type Command = readonly [file: string, ...args: string[]];

/** Each uses one connection to the service, so that a broken connection affects the next request. */
export const proxies: Readonly<Record<string, (proxying: Proxying) => Promise<Command>>> = {
  async nginx({ folder, port, serviceUrl }) {
    const file = join(folder, 'nginx.conf');
    await writeFile(file, nginxConfig({ folder, port, serviceUrl }));
    return ['nginx', '-c', file, '-e', join(folder, 'error.log'), '-p', folder];
  },
  async caddy({ folder, port, serviceUrl }) {
    const file = join(folder, 'Caddyfile');
    await writeFile(file, caddyConfig({ folder, port, serviceUrl }));
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  },
};

const nginxConfig = ({ folder, port, serviceUrl }: Proxying): string => `
  daemon off;
  worker_processes 1;
  pid ${folder}/nginx.pid;
  events {}
  http {
    access_log off;
    client_body_temp_path ${folder}/body;
    proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/fastcgi;
    uwsgi_temp_path ${folder}/uwsgi;
    scgi_temp_path ${folder}/scgi;
    upstream service { server ${new URL(serviceUrl).host}; keepalive 1; }
    server {
      listen 127.0.0.1:${port};
      client_max_body_size 0;
      location / {
        proxy_pass http://service;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_request_buffering off;
      }
    }
  }
`;

const caddyConfig = ({ port, serviceUrl }: Proxying): string => `
  {
    admin off
    auto_https off
  }
  http://:${port} {
    bind 127.0.0.1
    reverse_proxy ${new URL(serviceUrl).host} {
      transport http {
        max_conns_per_host 1
      }
    }
  }
`;

/** Throws if the program is missing. */
export async function startProxy(t: ExecutionContext, name: string, serviceUrl: string): Promise<string> {
  const folder = await temporaryFolder(t);
  const port = await freePort();
  const [file, ...args] = await proxies[name]!({ folder, port, serviceUrl });
  const proxy = spawn(file, args, { stdio: 'ignore' });
  const exited = once(proxy, 'exit');
  exited.catch(() => undefined); // reported by the line below
  await once(proxy, 'spawn');
  t.teardown(async () => {
    proxy.kill('SIGTERM');
    await exited;
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> => fetch(`${url}/healthz`).then(({ ok }) => ok, () => false); // prettier-ignore
  await until(answers, { for: `The proxy ${name}` });
  return url;
}
