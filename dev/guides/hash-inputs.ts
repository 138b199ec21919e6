import { hashFiles, listFiles } from '../sites/hash-files.ts';

const folders = ['docs', 'dev/guides', 'guides', 'guides/theme'];
const files = [
  'CHANGELOG.md',
  'bench/README.md',
  'contract/guides.ts',
  'dashboard/icon.svg',
  'dashboard/style/tokens.css',
];
const packages = ['shiki', 'vitepress', 'vue'];

/** Returns a hash of everything that the site of the guides is built from. */
export async function hashInputs(root: string): Promise<string> {
  const listed = await Promise.all(folders.map((folder) => listFiles(root, folder, { isDeep: folder === 'docs' })));
  const manifests = packages.map((name) => `node_modules/${name}/package.json`);
  return await hashFiles(root, [...files, ...manifests, ...listed.flat()]);
}
