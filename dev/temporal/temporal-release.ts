/** Go cannot install later versions, because their go.mod has a `replace`. */
export const TEMPORAL_VERSION = '1.5.1';

/** From Go's checksum database (sum.golang.org). */
export const TEMPORAL_MODULE = 'github.com/temporalio/cli';
export const TEMPORAL_MODULE_SUM = 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';

const archives: Readonly<Record<string, string>> = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

export interface TemporalArchive {
  readonly url: string;
  readonly sha256: string;
}

export function temporalArchive(platform: string, arch: string): TemporalArchive | undefined {
  const sha256 = archives[`${platform}-${arch}`];
  if (!sha256) return undefined;
  const file = `temporal_cli_${TEMPORAL_VERSION}_${platform}_${arch === 'x64' ? 'amd64' : arch}.tar.gz`;
  return { url: `https://github.com/temporalio/cli/releases/download/v${TEMPORAL_VERSION}/${file}`, sha256 };
}
