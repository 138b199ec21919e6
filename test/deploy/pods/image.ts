import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { debianMirror } from './debian-mirror.ts';
import { runCommand } from './run-command.ts';

export interface Image {
  /** Folder with the image's files. */
  readonly root: string;
  readonly entrypoint: readonly string[];
  readonly environment: readonly string[];
  readonly workingFolder: string;
  readonly remove: () => Promise<void>;
}

const BASE = 'localhost/messaging-channels-node';
const NAME = 'localhost/messaging-channels-pods';

/**
 * Builds deploy/Dockerfile with buildah, without a Docker engine. `nodeImage` is pulled if given; otherwise the base image
 * is made from Debian packages and the Node binary of this checkout.
 */
export async function buildImage(nodeImage: string | undefined, report: (text: string) => void): Promise<Image> {
  if (!nodeImage && !(await isBuilt(BASE))) {
    report('Building the base image with debootstrap. This happens once and takes about 2 minutes.');
    await buildBase();
  }
  report('Building deploy/Dockerfile with buildah.');
  await buildService(nodeImage ?? BASE);
  const inspected = await runCommand('buildah', ['inspect', '--type', 'image', NAME]);
  const { config } = imageConfig.parse(JSON.parse(inspected)).OCIv1;
  const container = (await runCommand('buildah', ['from', '--pull-never', NAME])).trim();
  const root = (await runCommand('buildah', ['mount', container])).trim();
  // A container runtime creates it, to mount the pod's own over it.
  await appendFile(join(root, 'etc/hosts'), '');
  return {
    root,
    entrypoint: config.Entrypoint,
    environment: config.Env,
    workingFolder: config.WorkingDir,
    remove: async () => void (await runCommand('buildah', ['rm', container])),
  };
}

const imageConfig = z.object({
  OCIv1: z.object({
    config: z.object({ Entrypoint: z.array(z.string()), Env: z.array(z.string()), WorkingDir: z.string() }),
  }),
});

async function isBuilt(name: string): Promise<boolean> {
  return runCommand('buildah', ['inspect', '--type', 'image', name]).then(
    () => true,
    () => false,
  );
}

/** As the official slim image: Debian, Node and npm under /usr/local, and a user 1000. */
async function buildBase(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'base-image-'));
  try {
    const root = join(folder, 'root');
    await runCommand('debootstrap', ['--variant=minbase', 'bookworm', root, await debianMirror()]);
    const npm = dirname(dirname(await realpath((await runCommand('which', ['npm'])).trim())));
    await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
    await chmod(join(root, 'usr/local/bin/node'), 0o755);
    await mkdir(join(root, 'usr/local/lib/node_modules'), { recursive: true });
    await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
    await runCommand('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
    const container = (await runCommand('buildah', ['from', 'scratch'])).trim();
    await runCommand('buildah', ['add', container, root, '/']);
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    await runCommand('buildah', ['config', '--env', `PATH=${path}`, container]);
    await runCommand('buildah', ['commit', '--rm', container, BASE]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildService(nodeImage: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'image-'));
  try {
    const npmrc = join(folder, 'npmrc');
    await writeFile(npmrc, await npmSettings(), { mode: 0o600 });
    const authorities = process.env['NODE_EXTRA_CA_CERTS'];
    const mounts = [`${npmrc}:/usr/local/etc/npmrc:ro`, ...(authorities ? [`${authorities}:${AUTHORITIES}:ro`] : [])];
    await runCommand(
      'buildah',
      [
        ...['bud', '--layers', '--isolation', 'chroot', '--pull', '--build-arg', `NODE_IMAGE=${nodeImage}`],
        ...mounts.flatMap((mount) => ['--volume', mount]),
        ...['--ignorefile', 'deploy/Dockerfile.dockerignore', '-f', 'deploy/Dockerfile', '-t', NAME, '.'],
      ],
      { cwd: projectRoot },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const AUTHORITIES = '/etc/npm-authorities.crt';

/** The registry and certificates of this machine, only while the image is built. */
async function npmSettings(): Promise<string> {
  const own = join(homedir(), '.npmrc');
  const settings = existsSync(own) ? await readFile(own, 'utf8') : '';
  return process.env['NODE_EXTRA_CA_CERTS'] ? `${settings}\ncafile=${AUTHORITIES}\n` : settings;
}
