import { join } from 'node:path';
import { workflowBundle } from '../../worker/workflow-bundle.ts';

/**
 * Bundles the workflows during the image build, where a worker looks for the bundle first. The bundler unpacks and runs
 * a native binary, which a container can't: its files are read-only and its /tmp is `noexec`.
 */
await workflowBundle({ kept: join(import.meta.dirname, '../../worker/bundle') });
