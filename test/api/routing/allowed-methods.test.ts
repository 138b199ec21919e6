import test from 'ava';
import { routes } from '../../../openapi/route-table.ts';
import { testApi } from '../../harness/api/api.ts';

test('Allow and OPTIONS name the methods of each path', async (t) => {
  const { url } = await testApi(t);
  const methodsByPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods.add(method.toUpperCase()));
  }
  for (const [path, methods] of methodsByPath) {
    const address = url + path.replace(/\{(\w+)\}/g, 'x');
    const expected = [...methods, 'OPTIONS', ...(methods.has('GET') ? ['HEAD'] : [])].toSorted();
    const options = await fetch(address, { method: 'OPTIONS' });
    t.is(options.status, 204, path);
    t.deepEqual(options.headers.get('allow')?.split(', ').toSorted(), expected, `OPTIONS ${path}`);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND']) {
      const answer = await fetch(address, { method, redirect: 'manual' });
      if (expected.includes(method)) t.not(answer.status, 405, `${method} ${path}`);
      else {
        t.is(answer.status, 405, `${method} ${path}`);
        t.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), expected, `${method} ${path}`);
      }
      await answer.body?.cancel();
    }
  }
});
