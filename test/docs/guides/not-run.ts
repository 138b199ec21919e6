import type { ShellBlock } from '../shell-blocks.ts';

/** Blocks that tests check instead of running them: their syntax, and the commands, options, files and settings they name. */
export interface NotRun {
  readonly page: string;
  /** The first line begins with it. */
  readonly starts: string;
  readonly reason: keyof typeof reasons;
}

export const reasons = {
  install: 'installs packages or a release',
  deploy: 'needs Docker, Kubernetes, systemd or root',
  temporalUi: 'needs the Temporal UI, which tests do not start',
  manual: 'runs for many minutes, so people start it by hand; CI does not',
  short: 'runs for many minutes; a test runs a short form of it',
  synopsis: 'lists the forms of commands and is not meant to be run',
  forever: 'runs until it is stopped',
  ownTest: 'another test runs its commands on data of their own',
} as const;

export const notRun: readonly NotRun[] = [
  { page: 'README.md', starts: 'npm ci && npm start', reason: 'install' },
  { page: 'README.md', starts: 'npm ci && npm test', reason: 'install' },
  { page: 'docs/alerts.md', starts: 'channels alerts preferences set', reason: 'ownTest' },
  { page: 'docs/cli.md', starts: '# channels', reason: 'synopsis' },
  { page: 'docs/cli.md', starts: '# pass the signing secret', reason: 'forever' },
  { page: 'docs/clients.md', starts: 'npm install', reason: 'install' },
  { page: 'docs/clients.md', starts: 'python3 -m venv', reason: 'install' },
  { page: 'docs/clients.md', starts: 'sha256sum', reason: 'install' },
  { page: 'docs/operators.md', starts: 'docker', reason: 'deploy' },
  { page: 'docs/runbook.md', starts: 'workflows()', reason: 'temporalUi' },
  { page: 'docs/self-hosting.md', starts: '# once, as an administrator', reason: 'deploy' },
  { page: 'docs/self-hosting.md', starts: 'cp deploy/.env.example', reason: 'deploy' },
  { page: 'docs/self-hosting.md', starts: 'docker', reason: 'deploy' },
  { page: 'docs/self-hosting.md', starts: 'kubectl', reason: 'deploy' },
  { page: 'docs/self-hosting.md', starts: 'useradd', reason: 'deploy' },
  { page: 'docs/self-hosting.md', starts: 'npm run admin', reason: 'deploy' },
  { page: 'docs/traces.md', starts: 'OTEL', reason: 'deploy' },
  { page: 'bench/README.md', starts: '', reason: 'manual' },
  { page: 'bench/attack.md', starts: '', reason: 'short' },
  { page: 'bench/faults.md', starts: 'npm run soak', reason: 'manual' },
  { page: 'bench/faults.md', starts: '', reason: 'short' },
];

export function entryOf({ page, code }: ShellBlock): NotRun | undefined {
  return notRun.find((entry) => entry.page === page && code.startsWith(entry.starts));
}
