import test from 'ava';
import { consentScopes, searchScopes } from '../../../platform/client/oauth-vocabulary.ts';
import { grantedScopes } from '../../../simulator/consent/scopes.ts';

test('a customer who agrees grants what the service asks for', (t) => {
  for (const type of ['chatapp', 'photoapp', 'pageapp'] as const) {
    t.deepEqual(grantedScopes[type], [...consentScopes[type], ...searchScopes[type]]);
  }
});
