import test from 'ava';
import * as workflows from '../../workflows/index.ts';
import * as versioned from '../../workflows/versioned.ts';
import { versioningBehaviors } from '../../workflows/versioning-behaviors.ts';
import { workflowTable } from '../../workflow-starts/workflow-table.ts';

test('every workflow type declares its versioning behavior', (t) => {
  t.deepEqual(Object.keys(versioningBehaviors).sort(), Object.keys(workflows).sort());
  t.deepEqual(Object.keys(versioned).sort(), Object.keys(workflows).sort());
  for (const [name, workflow] of Object.entries(versioned)) {
    t.deepEqual(
      'workflowDefinitionOptions' in workflow && workflow.workflowDefinitionOptions,
      { versioningBehavior: versioningBehaviors[name as keyof typeof versioningBehaviors] },
      name,
    );
  }
});

test('exactly the types whose runs end within a minute are pinned', (t) => {
  for (const [name, row] of Object.entries(workflowTable)) {
    const behavior = versioningBehaviors[name as keyof typeof versioningBehaviors];
    t.is(behavior, 'executionTimeout' in row ? 'PINNED' : 'AUTO_UPGRADE', name);
  }
});
