import type { Program, Setting } from '../../process/settings.ts';

const programs = ['api', 'worker', 'gateway', 'admin'] as const satisfies readonly Program[];

/** Variables of the Temporal SDK that are secrets. The programs that read the server's address get them too. */
const temporalSecrets = [
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
];

/** The settings of each program, for the chart: Helm reads no TypeScript. */
export function readersYaml(settings: readonly Setting[]): string {
  const names = (found: readonly string[]): string => found.map((name) => `    - ${name}\n`).join('');
  const part = (program: string, read: readonly Setting[]): string => {
    const secrets = read.flatMap(({ name, secret }) => (secret ? [name] : []));
    const plain = read.flatMap(({ name, secret }) => (secret ? [] : [name]));
    const sdk = plain.includes('TEMPORAL_ADDRESS') ? temporalSecrets : [];
    return `${program}:\n  settings:\n${names(plain)}  secrets:\n${names([...secrets, ...sdk])}`;
  };
  const parts = [
    ...programs.map((program) =>
      part(
        program,
        settings.filter(({ readers }) => readers.includes(program)),
      ),
    ),
    // `admin register-search-attributes`, which needs the server only.
    part(
      'temporal',
      settings.filter(({ name }) => /^TEMPORAL_(?:ADDRESS|NAMESPACE)$/.test(name)),
    ),
  ];
  const all = settings.map(({ name }) => `  - ${name}\n`).join('');
  return `# Written by \`npm run format\` from process/settings.ts.\n${parts.join('')}all:\n${all}`;
}
