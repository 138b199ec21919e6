import test from 'ava';
import * as workflows from '../../workflows/index.ts';
import * as versioned from '../../workflows/versioned.ts';
import { retirementOf, typeNames, workflowTypes } from '../../workflows/workflow-types.ts';

test('every workflow type declares its versioning behavior', (t) => {
  t.deepEqual(typeNames.toSorted(), Object.keys(workflows).sort() as typeof typeNames);
  t.deepEqual(Object.keys(versioned).sort(), Object.keys(workflows).sort());
  for (const [name, workflow] of Object.entries(versioned)) {
    t.deepEqual(
      'workflowDefinitionOptions' in workflow && workflow.workflowDefinitionOptions,
      { versioningBehavior: workflowTypes[name as keyof typeof workflowTypes].behavior },
      name,
    );
  }
});

test('each type whose runs may last declares how they are retired', (t) => {
  for (const name of typeNames) {
    t.true(workflowTypes[name].behavior === 'PINNED' || retirementOf(name) !== undefined, name);
  }
});
