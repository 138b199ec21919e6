import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';

export function keywordAttributes(keywords: Readonly<Record<string, string>>): TypedSearchAttributes {
  return new TypedSearchAttributes(
    Object.entries(keywords).map(([name, value]) => ({
      key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      value,
    })),
  );
}
