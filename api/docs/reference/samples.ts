import type { PlacedOperation } from './document.ts';

/** A request as the samples show it. */
interface SampledRequest {
  readonly method: string;
  /** With example values, and only with the parameters that are required. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  readonly needsKey: boolean;
}

export const languages = [
  { id: 'curl', name: 'curl', sample: curl },
  { id: 'javascript', name: 'JavaScript', sample: javascript },
  { id: 'python', name: 'Python', sample: python },
  { id: 'go', name: 'Go', sample: go },
] as const;

/** The samples read the key from this variable, so that no key is typed into a page. */
const KEY = 'SERVICE_API_KEY';
const WORKSPACE = 'X-Workspace-Id';
/** Set by `.data/demo.env`, as the key is. */
const WORKSPACE_ID = 'SERVICE_WORKSPACE_ID';

export function requestOf(baseUrl: string, { operation, method, path }: PlacedOperation): SampledRequest {
  const { parameters = [], requestBody, security = [] } = operation;
  const required = parameters.filter((parameter) => parameter.required);
  const valueOf = (name: string): string =>
    String(parameters.find((parameter) => parameter.name === name)?.example ?? name);
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)));
  const query = required.filter((parameter) => parameter.in === 'query');
  const search = new URLSearchParams(Object.fromEntries(query.map(({ name }) => [name, valueOf(name)]))).toString();
  const json = requestBody?.content['application/json'];
  return {
    method: method.toUpperCase(),
    url: `${baseUrl.replace(/\/$/, '')}${place}${search && `?${search}`}`,
    headers: [
      ...required.filter((parameter) => parameter.in === 'header').map(({ name }) => [name, valueOf(name)] as const),
      ...(json ? [['Content-Type', 'application/json'] as const] : []),
    ],
    body: json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2),
    needsKey: security.length > 0,
  };
}

function curl({ method, url, headers, body, needsKey }: SampledRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(needsKey ? [`-H "Authorization: Bearer $${KEY}"`] : []),
    ...headers.map(([name, value]) =>
      name === WORKSPACE ? `-H "${name}: $${WORKSPACE_ID}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function javascript({ method, url, headers, body, needsKey }: SampledRequest): string {
  const lines = [
    ...(needsKey ? [`    Authorization: \`Bearer \${process.env.${KEY}}\`,`] : []),
    ...headers.map(
      ([name, value]) =>
        `    '${name}': ${name === WORKSPACE ? `process.env.${WORKSPACE_ID}` : JSON.stringify(value)},`,
    ),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
  ];
  const call = options.length > 0 ? `fetch('${url}', {\n${options.join('\n')}\n})` : `fetch('${url}')`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function python({ method, url, headers, body, needsKey }: SampledRequest): string {
  const lines = [
    ...(needsKey ? [`    "Authorization": f"Bearer {os.environ['${KEY}']}",`] : []),
    ...headers.map(
      ([name, value]) =>
        `    "${name}": ${name === WORKSPACE ? `os.environ["${WORKSPACE_ID}"]` : JSON.stringify(value)},`,
    ),
  ];
  const needsOs = lines.some((line) => line.includes('os.environ'));
  return [
    ...(needsOs ? ['import os'] : []),
    'import urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${JSON.stringify(JSON.stringify(JSON.parse(body)))}`]),
    `headers = {${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''}}`,
    `request = urllib.request.Request("${url}", method="${method}", headers=headers${body === undefined ? '' : ', data=body.encode()'})`,
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

function go({ method, url, headers, body, needsKey }: SampledRequest): string {
  const named = [
    ...(needsKey ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${KEY}"))`] : []),
    ...headers.map(
      ([name, value]) =>
        `\trequest.Header.Set("${name}", ${name === WORKSPACE ? `os.Getenv("${WORKSPACE_ID}")` : JSON.stringify(value)})`,
    ),
  ];
  const needsOs = named.some((line) => line.includes('os.Getenv'));
  const imports = ['fmt', 'io', 'net/http', ...(needsOs ? ['os'] : []), ...(body === undefined ? [] : ['strings'])];
  const data = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(JSON.stringify(JSON.parse(body)))})`;
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
\trequest, err := http.NewRequest("${method}", "${url}", ${data})
\tif err != nil {
\t\tpanic(err)
\t}
${named.map((line) => `${line}\n`).join('')}\tresponse, err := http.DefaultClient.Do(request)
\tif err != nil {
\t\tpanic(err)
\t}
\tdefer response.Body.Close()
\ttext, _ := io.ReadAll(response.Body)
\tfmt.Println(response.StatusCode, string(text))
}`;
}
