import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';

/** Search attributes of type Keyword, by name. */
export function keywordAttributes(keywords: Readonly<Record<string, string>>): TypedSearchAttributes {
  return new TypedSearchAttributes(
    Object.entries(keywords).map(([name, value]) => ({
      key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      value,
    })),
  );
}
