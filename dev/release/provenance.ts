import type { Release } from './release-state.ts';

/** Describes the command that made the files; docs/clients.md and CONTRIBUTING.md document it. */
const BUILD_TYPE = 'urn:messaging-channels:npm-run-release:1';

export interface Material {
  readonly uri: string;
  readonly digest: Readonly<Record<string, string>>;
}

export interface Provenance {
  readonly release: Release;
  /** File names with their SHA-256. */
  readonly files: ReadonlyMap<string, string>;
  readonly materials: readonly Material[];
  readonly builder: string;
  readonly tools: Readonly<Record<string, string>>;
}

/** Returns an in-toto statement with SLSA v1 provenance. It is not signed. Times would make each build different. */
export function provenanceText({ release, files, materials, builder, tools }: Provenance): string {
  const { version, commit, committedAt } = release;
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { version, commit },
        internalParameters: { sourceDateEpoch: committedAt.getTime() / 1000 },
        resolvedDependencies: materials,
      },
      runDetails: { builder: { id: builder, version: tools }, metadata: { invocationId: commit } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}
