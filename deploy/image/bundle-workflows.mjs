import { join } from 'node:path';
import { workflowBundle } from '../../worker/workflow-bundle.ts';

/**
 * Run by the image's build: puts the bundle of the workflows where a worker looks for it first. The bundler unpacks a
 * native part of its own and runs it, for which a container has no place: all is read only, and /tmp is `noexec`.
 */
await workflowBundle({ kept: join(import.meta.dirname, '../../worker/bundle') });
