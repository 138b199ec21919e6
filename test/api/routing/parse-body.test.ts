import test from 'ava';
import { parseBody } from '../../../api/routing/parse-input.ts';
import { InvalidRequest } from '../../../api/requests/errors.ts';
import { openApiDocument } from '../../../openapi/document/open-api-document.ts';
import { routes } from '../../../openapi/route-table.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { baseUrl } from '../../harness/api/api.ts';

interface Operation {
  readonly requestBody?: { readonly required: boolean };
}
const { paths } = openApiDocument({ baseUrl, deployment: 'production' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

test('every route refuses null, and no body where one is required', (t) => {
  const withBody = routes.filter(({ body }) => body !== undefined);
  t.true(withBody.length > 50);
  for (const route of withBody) {
    for (const body of [null, [], '', 'text', 7, false]) {
      t.throws(
        () => parseBody(route, body),
        { instanceOf: InvalidRequest },
        `${route.operationId} ${JSON.stringify(body)}`,
      );
    }
    const isRequired = paths[route.path]![route.method]!.requestBody!.required;
    const withoutBody = () => parseBody(route, undefined);
    if (isRequired) t.throws(withoutBody, { instanceOf: InvalidRequest }, route.operationId);
    else t.deepEqual(withoutBody(), route.body!.parse({}), route.operationId);
    if (route.method !== 'post') t.true(isRequired, route.operationId);
  }
});

test('null and no body leave the branding as it is', async (t) => {
  const { call, organization, key } = await tenantStage(t);
  const path = `/organizations/${organization.publicId}/branding`;
  const body = { displayName: 'Shop', color: '#112233' };
  const { body: saved } = await call(`PUT ${path}`, { key, body });

  for (const wrong of [{ body: null }, {}]) {
    const { status, body: refusal } = await call(`PUT ${path}`, { key, ...wrong });
    t.like({ status, code: refusal.code }, { status: 400, code: 'VALIDATION_ERROR' });
  }
  t.deepEqual((await call(`GET ${path}`, { key })).body, saved);
});
