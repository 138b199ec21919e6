import { createHash } from 'node:crypto';
import type { Release } from './release-state.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly purl: string;
}
interface CycloneDx {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Spdx {
  readonly name: string;
  readonly creationInfo: object;
}

/** What a package contains besides its own code. */
export interface Contents {
  readonly name: string;
  /** Package URLs. */
  readonly bundled: ReadonlySet<string>;
}

export function packageUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Returns the service's bill of materials. npm takes the name from the folder, and makes each document unique. */
export function serviceCycloneDx(printed: string, { name, release }: { name: string; release: Release }): string {
  const all = JSON.parse(printed) as CycloneDx;
  const component = { ...all.metadata.component, name };
  return cycloneDxText({ ...all, metadata: { ...all.metadata, component } }, release);
}

/** Returns the bill of materials of a package that contains the code of others. */
export function packageCycloneDx(printed: string, { name, bundled }: Contents, release: Release): string {
  const all = JSON.parse(printed) as CycloneDx;
  const components = all.components.filter(({ purl }) => bundled.has(purl));
  const missing = [...bundled].filter((url) => !components.some(({ purl }) => purl === url));
  if (missing.length > 0)
    throw new Error(`${name} contains packages that are not in production: ${missing.join(', ')}`);
  const refs = new Set(components.map((one) => one['bom-ref']));
  const { version } = release;
  const root = `${name}@${version}`;
  const component = { 'bom-ref': root, type: 'application', name, version, purl: packageUrl(name, version) };
  const edges = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const dependencies = [{ ref: root, dependsOn: [...refs] }, ...edges];
  return cycloneDxText({ ...all, metadata: { ...all.metadata, component }, components, dependencies }, release);
}

function cycloneDxText(document: CycloneDx, { committedAt }: Release): string {
  const metadata = { ...document.metadata, timestamp: committedAt.toISOString() };
  const stable = { ...document, serialNumber: '', metadata };
  return jsonText({ ...stable, serialNumber: `urn:uuid:${uuidOf(jsonText(stable))}` });
}

export function serviceSpdx(printed: string, { committedAt }: Release): string {
  const all = JSON.parse(printed) as Spdx;
  const created = committedAt.toISOString().replace('.000Z', 'Z');
  const stable = { ...all, documentNamespace: '', creationInfo: { ...all.creationInfo, created } };
  const documentNamespace = `https://spdx.org/spdxdocs/${all.name}-${uuidOf(jsonText(stable))}`;
  return jsonText({ ...stable, documentNamespace });
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A UUID of version 8, for which RFC 9562 allows any content. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
