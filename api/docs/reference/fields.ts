import type { ReferenceDocument, Schema } from './document.ts';
import { type Html, html, inline, prose } from './html.ts';

type Schemas = ReferenceDocument['components']['schemas'];

/** Deeper fields are left to the OpenAPI document. */
const MAX_DEPTH = 4;

/** Returns the description of a body and its fields, nested objects below their field. */
export function fieldsOf(schemas: Schemas, schema: Schema): Html {
  const walk = { schemas, seen: [] };
  const description = followed(walk, schema).schema?.description;
  const fields = objectFields(walk, schema);
  const about = description === undefined ? !fields && html`<p>${typeOf(walk, schema)}</p>` : prose(description);
  return html`${about}${fields}`;
}

interface Walk {
  readonly schemas: Schemas;
  /** The references above, because schemas may contain themselves. */
  readonly seen: readonly string[];
}

/** Undefined for a schema without fields. */
function objectFields(walk: Walk, schema: Schema): Html | undefined {
  const { schema: whole, walk: inside } = followed(walk, schema);
  if (!whole || inside.seen.length > MAX_DEPTH) return undefined;
  if (whole.items) return objectFields(inside, whole.items);
  const variants = (whole.anyOf ?? whole.oneOf ?? []).filter((variant) => variant.type !== 'null');
  if (variants.length === 1) return objectFields(inside, variants[0]!);
  if (variants.length > 1) return variantFields(inside, variants);
  const parts = [whole, ...(whole.allOf ?? []).map((part) => followed(inside, part).schema)];
  const properties = parts.flatMap((part) => Object.entries(part?.properties ?? {}));
  const required = new Set(parts.flatMap((part) => part?.required ?? []));
  if (properties.length === 0) return undefined;
  const items = properties.map(([name, field]) => fieldItem(inside, { name, field, isRequired: required.has(name) }));
  return html`<ul class="fields">
    ${items}
  </ul>`;
}

function variantFields(walk: Walk, variants: readonly Schema[]): Html | undefined {
  const lists = variants.map((variant) => objectFields(walk, variant)).filter((list) => list !== undefined);
  if (lists.length === 0) return undefined;
  return html`${lists.map((list, index) => html`${index > 0 && html`<p class="or">or</p>`}${list}`)}`;
}

interface Field {
  readonly name: string;
  readonly field: Schema;
  readonly isRequired: boolean;
}

function fieldItem(walk: Walk, { name, field, isRequired }: Field): Html {
  const nested = objectFields({ ...walk, seen: [...walk.seen, `.${name}`] }, field);
  const description = field.description ?? followed(walk, field).schema?.description;
  return html`<li>
    <code class="name">${name}</code>
    <span class="type">${typeOf(walk, field)}${!isRequired && ', optional'}</span>
    ${description !== undefined && html`<div>${inline(description)}</div>`}${valuesOf(walk, field)}${
      nested &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${nested}
      </details>`
    }
  </li>`;
}

/** Returns the words of a closed list, and the default. */
export function valuesOf(walk: Walk, schema: Schema): Html | undefined {
  const { schema: whole, walk: inside } = followed(walk, schema);
  const words = whole ? wordsOf(inside, whole) : [];
  if (words.length === 0 && whole?.default === undefined) return undefined;
  const listed = words.map((word, index) => html`${index > 0 && ', '}<code>${String(word)}</code>`);
  return html`<div class="values">
    ${words.length > 0 && html`One of ${listed}. `}${
      whole?.default !== undefined && html`Default: <code>${JSON.stringify(whole.default)}</code>.`
    }
  </div>`;
}

/** Of the schema, its items or its variants. */
function wordsOf(walk: Walk, schema: Schema): readonly unknown[] {
  const { schema: whole, walk: inside } = followed(walk, schema);
  if (!whole || whole.enum) return whole?.enum ?? [];
  const parts = whole.items ? [whole.items] : (whole.anyOf ?? []);
  return parts.flatMap((part) => wordsOf(inside, part));
}

export function typeOf(walk: Walk, schema: Schema): string {
  const { schema: whole, walk: inside } = followed(walk, schema);
  if (!whole) return 'object';
  const variants = whole.anyOf ?? whole.oneOf;
  if (variants) return [...new Set(variants.map((variant) => typeOf(inside, variant)))].join(' or ');
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  const types = [whole.type ?? (whole.properties || whole.allOf ? 'object' : 'any')].flat();
  return types.map((type) => (type === 'array' ? arrayType(inside, whole) : type + boundsOf(whole, type))).join(' or ');
}

function arrayType(walk: Walk, { items, minItems, maxItems }: Schema): string {
  const of = items ? ` of ${typeOf(walk, items)}` : '';
  return `array${of}${rangeOf({ min: minItems, max: maxItems }, ' items')}`;
}

function boundsOf({ format, minLength, maxLength, minimum, maximum }: Schema, type: string): string {
  if (type === 'string')
    return format === undefined ? rangeOf({ min: minLength, max: maxLength }, ' characters') : ` (${format})`;
  return type === 'integer' || type === 'number' ? rangeOf({ min: minimum, max: maximum }, '') : '';
}

function rangeOf(
  { min, max }: { readonly min: number | undefined; readonly max: number | undefined },
  unit: string,
): string {
  if (max === undefined) return min === undefined || min === 0 ? '' : ` (at least ${min.toLocaleString('en')}${unit})`;
  const most = max.toLocaleString('en');
  return min === undefined || min === 0
    ? ` (at most ${most}${unit})`
    : ` (${min.toLocaleString('en')} to ${most}${unit})`;
}

/** Follows references. Returns no schema for one that contains itself. */
function followed(walk: Walk, schema: Schema): { readonly schema: Schema | undefined; readonly walk: Walk } {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return { schema, walk };
  if (walk.seen.includes(name)) return { schema: undefined, walk };
  const inside = { ...walk, seen: [...walk.seen, name] };
  return followed(inside, walk.schemas[name] ?? {});
}
