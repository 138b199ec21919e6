import test from 'ava';
import { listedNames, namesInUse } from '../../../dev/checks/names.ts';

const listed = listedNames();
const inUse = namesInUse();
const kinds = [...new Set([...Object.keys(listed), ...Object.keys(inUse)])];

for (const kind of kinds) {
  test(`no ${kind} name that histories, clients or alerts may still use is gone`, (t) => {
    t.deepEqual(missing(listed[kind], inUse[kind]), []);
  });

  test(`every ${kind} name is in the checked-in list (node dev/checks/names.ts adds new ones)`, (t) => {
    t.deepEqual(missing(inUse[kind], listed[kind]), []);
  });
}

function missing(from: readonly string[] = [], among: readonly string[] = []): string[] {
  return from.filter((name) => !among.includes(name));
}
