import { join } from 'node:path';
import { workflowBundle } from '../../worker/workflow-bundle.ts';

/**
 * Bundles the workflows during the image build, where a worker looks for the bundles first. The bundler unpacks and
 * runs a native binary, which a container can't: its files are read-only and its /tmp is `noexec`.
 */
const kept = join(import.meta.dirname, '../../worker/bundle');
await workflowBundle({ kept, isVersioned: true });
await workflowBundle({ kept });
