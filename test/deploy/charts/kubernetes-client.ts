import { Agent, request } from 'undici';
import { z } from 'zod';

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly generateName?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface Answer {
  readonly status: number;
  /** Empty unless the server deprecates or warns about a field. */
  readonly warnings: readonly string[];
  readonly body: unknown;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

export interface KubernetesClient {
  readonly request: (call: Call) => Promise<Answer>;
  /** Server-side apply; unknown and repeated fields are errors. */
  readonly apply: (object: KubernetesObject) => Promise<Answer>;
  readonly create: (object: KubernetesObject, options?: { readonly dryRun: boolean }) => Promise<Answer>;
  readonly setStatus: (object: KubernetesObject, status: unknown) => Promise<Answer>;
  readonly list: (kind: Pick<KubernetesObject, 'apiVersion' | 'kind'>, namespace: string) => Promise<readonly string[]>;
}

interface Server {
  readonly url: string;
  readonly certificate: string;
  readonly token: string;
}

const STRICT = 'fieldManager=test&fieldValidation=Strict';

export function kubernetesClient({ url, certificate, token }: Server): KubernetesClient {
  const dispatcher = new Agent({ connect: { ca: certificate } });
  const call = async ({ method, path, body, type = 'application/json' }: Call): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const options = { method, headers, dispatcher, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await request(`${url}${path}`, options);
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).includes('json');
    const warnings = [response.headers['warning'] ?? []].flat();
    return { status: response.statusCode, warnings, body: isJson ? JSON.parse(text) : text };
  };
  const pathOf = async (object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, namespace?: string): Promise<string> => {
    const root = object.apiVersion.includes('/') ? `/apis/${object.apiVersion}` : `/api/${object.apiVersion}`;
    const { resources = [] } = resourceList.parse((await call({ method: 'GET', path: root })).body);
    const found = resources.find(({ kind, name }) => kind === object.kind && !name.includes('/'));
    if (!found) throw new Error(`The server has no ${object.kind} in ${object.apiVersion}.`);
    return found.namespaced && namespace ? `${root}/namespaces/${namespace}/${found.name}` : `${root}/${found.name}`;
  };
  return {
    request: call,
    async apply(object) {
      const path = `${await pathOf(object, object.metadata.namespace)}/${object.metadata.name}?${STRICT}`;
      return call({ method: 'PATCH', path, body: object, type: 'application/apply-patch+yaml' });
    },
    async create(object, { dryRun } = { dryRun: false }) {
      const path = `${await pathOf(object, object.metadata.namespace)}?${STRICT}${dryRun ? '&dryRun=All' : ''}`;
      return call({ method: 'POST', path, body: object });
    },
    async setStatus(object, status) {
      const path = `${await pathOf(object, object.metadata.namespace)}/${object.metadata.name}/status`;
      return call({ method: 'PATCH', path, body: { status }, type: 'application/merge-patch+json' });
    },
    async list(kind, namespace) {
      const { body } = await call({ method: 'GET', path: await pathOf(kind, namespace) });
      return objectList.parse(body).items.map(({ metadata }) => metadata.name);
    },
  };
}

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })).optional(),
});

const objectList = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });
