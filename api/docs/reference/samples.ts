import type { PlacedOperation } from './document.ts';

/** A request as the samples show it. */
interface SampledRequest {
  readonly method: string;
  /** With example values, and only with the parameters that are required. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  /** Whether the body is a file. */
  readonly isUpload: boolean;
  /** The variable with the credential. The samples read it, so that no key is typed into a page. */
  readonly credential: string | undefined;
}

export const languages = [
  { id: 'curl', name: 'curl', sample: curl },
  { id: 'javascript', name: 'JavaScript', sample: javascript },
  { id: 'python', name: 'Python', sample: python },
  { id: 'go', name: 'Go', sample: go },
] as const;

const FILE = 'photo.jpg';
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
  const isUpload = requestBody?.content['multipart/form-data'] !== undefined;
  return {
    method: method.toUpperCase(),
    url: `${baseUrl.replace(/\/$/, '')}${place}${search && `?${search}`}`,
    headers: [
      ...required.filter((parameter) => parameter.in === 'header').map(({ name }) => [name, valueOf(name)] as const),
      ...(json ? [['Content-Type', 'application/json'] as const] : []),
      ...(isUpload ? [['Content-Type', 'image/jpeg'] as const] : []),
    ],
    body: json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2),
    isUpload,
    credential: security.length === 0 ? undefined : credentialOf(path, security),
  };
}

function credentialOf(path: string, security: readonly Readonly<Record<string, unknown>>[]): string {
  if (path.startsWith('/staff/')) return 'STAFF_API_KEY';
  return security.some((scheme) => 'apiKey' in scheme) ? 'SERVICE_API_KEY' : 'SERVICE_ACCESS_TOKEN';
}

function curl({ method, url, headers, body, isUpload, credential }: SampledRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(credential === undefined ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...headers.map(([name, value]) =>
      name === WORKSPACE ? `-H "${name}: $${WORKSPACE_ID}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    ...(isUpload ? [`--data-binary @${FILE}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function javascript({ method, url, headers, body, isUpload, credential }: SampledRequest): string {
  const lines = [
    ...(credential === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${credential}}\`,`]),
    ...headers.map(
      ([name, value]) =>
        `    '${name}': ${name === WORKSPACE ? `process.env.${WORKSPACE_ID}` : JSON.stringify(value)},`,
    ),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(lines.length > 0 ? ['  headers: {', ...lines, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
    ...(isUpload ? [`  body: await openAsBlob('${FILE}'),`] : []),
  ];
  const imports = isUpload ? "import { openAsBlob } from 'node:fs';\n\n" : '';
  const call = options.length > 0 ? `fetch('${url}', {\n${options.join('\n')}\n})` : `fetch('${url}')`;
  return `${imports}const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** With the standard library alone, so that the sample runs as it is shown. */
function python({ method, url, headers, body, isUpload, credential }: SampledRequest): string {
  const lines = [
    ...(credential === undefined ? [] : [`    "Authorization": f"Bearer {os.environ['${credential}']}",`]),
    ...headers.map(
      ([name, value]) =>
        `    "${name}": ${name === WORKSPACE ? `os.environ["${WORKSPACE_ID}"]` : JSON.stringify(value)},`,
    ),
  ];
  const needsOs = lines.some((line) => line.includes('os.environ'));
  const data = body === undefined ? 'body' : 'json.dumps(body).encode()';
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(needsOs ? ['import os'] : []),
    'import urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${pythonLiteral(body)}`]),
    ...(isUpload ? [`body = open("${FILE}", "rb").read()`] : []),
    `headers = {${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''}}`,
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    '    headers=headers,',
    ...(body === undefined && !isUpload ? [] : [`    data=${data},`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

/** Differs from JSON in its words, which end a line, and in the indentation. */
function pythonLiteral(json: string): string {
  return json
    .replace(/\b(?:null|true|false)(?=,?$)/gm, (word) => pythonWords[word] ?? word)
    .replace(/^ +/gm, (spaces) => spaces + spaces);
}

const pythonWords: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

function go({ method, url, headers, body, isUpload, credential }: SampledRequest): string {
  const named = [
    ...(credential === undefined
      ? []
      : [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${credential}"))`]),
    ...headers.map(
      ([name, value]) =>
        `\trequest.Header.Set("${name}", ${name === WORKSPACE ? `os.Getenv("${WORKSPACE_ID}")` : JSON.stringify(value)})`,
    ),
  ];
  const needsOs = isUpload || named.some((line) => line.includes('os.Getenv'));
  const imports = ['fmt', 'io', 'net/http', ...(needsOs ? ['os'] : []), ...(body === undefined ? [] : ['strings'])];
  const text = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(JSON.stringify(JSON.parse(body)))})`;
  const opened = `\tfile, err := os.Open("${FILE}")\n\tif err != nil {\n\t\tpanic(err)\n\t}\n`;
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${isUpload ? opened : ''}\trequest, err := http.NewRequest("${method}", "${url}", ${isUpload ? 'file' : text})
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
