import test from 'ava';
import {
  type ContainerStatus,
  containerMayBecome,
  containerStatuses,
  containerStatusesBefore,
  finalContainerStatuses,
} from '../../../contract/containers/status.ts';
import { containerMoves } from '../../harness/containers/container-moves.ts';

for (const from of containerStatuses) {
  for (const to of containerStatuses) {
    const may = containerMoves[from].split(' ').includes(to);
    test(`a container ${may ? 'can' : 'cannot'} change from ${from} to ${to}`, (t) => {
      t.is(containerMayBecome(from, to), may);
      t.is(containerStatusesBefore(to).includes(from), may);
    });
  }
}

test('only published, failed and expired containers are final', (t) => {
  t.deepEqual(finalContainerStatuses, ['published', 'error', 'expired']);
});

test('every status can reach a final status', (t) => {
  for (const status of containerStatuses)
    t.true(
      [...reachable(status)].some((each) => isFinal(each)),
      status,
    );
});

test('only a container whose response was lost changes back to creating', (t) => {
  t.deepEqual(containerStatusesBefore('creating'), ['unknown']);
});

function reachable(from: ContainerStatus, seen = new Set<ContainerStatus>()): Set<ContainerStatus> {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const to of containerStatuses) if (containerMayBecome(from, to)) reachable(to, seen);
  return seen;
}

function isFinal(status: ContainerStatus): boolean {
  return finalContainerStatuses.includes(status);
}
