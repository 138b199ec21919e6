type ReadText = (path: string) => string;

const CHART = 'deploy/helm/messaging-channels';
/** npm repeats the version of the root package and of each workspace. */
const lockedPaths = ['', 'dev/packages/cli', 'dev/packages/client'];

/** The files that repeat the version of package.json. Each pattern matches what precedes the version. */
const repeated: Readonly<Record<string, RegExp>> = {
  'dev/packages/cli/package.json': /(?<="version": ")[^"]+/g,
  'dev/packages/client/package.json': /(?<="version": ")[^"]+/g,
  [`${CHART}/Chart.yaml`]: /(?<=^(?:version|appVersion): ).+/gm,
  'docs/clients.md': /(?<=messaging-channels-(?:cli|client|openapi)-)\d+\.\d+\.\d+/g,
  'docs/self-hosting.md': /(?<=images\.example\.com\/messaging-channels:)\d+\.\d+\.\d+/g,
};

/** Returns the texts of all files that repeat the version, which package.json alone defines. */
export function versionTexts(read: ReadText): Record<string, string> {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const texts = Object.entries(repeated).map(([path, pattern]) => {
    const text = read(path);
    if (text.search(pattern) < 0) throw new Error(`${path} has no version. Update dev/checks/version-texts.ts.`);
    return [path, text.replace(pattern, version)];
  });
  return {
    ...Object.fromEntries(texts),
    'contract/version.ts': `/** Written by \`npm run format\` from package.json. */\nexport const version = '${version}';\n`,
    'package-lock.json': lockText(read('package-lock.json'), version),
  };
}

function lockText(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  const packages = { ...lock.packages };
  for (const path of lockedPaths) packages[path] = { ...packages[path], version };
  return `${JSON.stringify({ ...lock, version, packages }, null, 2)}\n`;
}
