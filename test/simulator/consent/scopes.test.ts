import test from 'ava';
import { consentScopes } from '../../../platform/client/oauth-vocabulary.ts';
import { grantedScopes } from '../../../simulator/consent/scopes.ts';

test('a customer who agrees grants what the service asks for', (t) => {
  t.deepEqual(grantedScopes, consentScopes);
});
