export interface JsonPart {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * Formats JSON in lines, as parts that can be colored. Keeps numbers as written, because a parser would round long ids.
 * Returns undefined if the text is not JSON.
 */
export function formatJson(text: string): readonly JsonPart[] | undefined {
  if (!isJson(text)) return undefined;
  const parts: JsonPart[] = [];
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      depth++;
      const isEmpty = next === '}' || next === ']';
      parts.push({ kind: 'mark', text: isEmpty ? token : token + line() });
    } else if (token === '}' || token === ']') {
      depth--;
      const wasEmpty = ['{', '['].includes(tokens[index - 1] ?? '');
      parts.push({ kind: 'mark', text: wasEmpty ? token : line() + token });
    } else if (token === ',') parts.push({ kind: 'mark', text: token + line() });
    else if (token === ':') parts.push({ kind: 'mark', text: ': ' });
    else parts.push({ kind: kindOf(token, next), text: token });
  }
  return parts;
}

function kindOf(token: string, next: string | undefined): JsonPart['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  return /^[tfn]/.test(token) ? 'word' : 'number';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
