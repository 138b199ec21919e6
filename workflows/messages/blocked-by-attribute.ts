import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';

export const blockedByAttribute = defineSearchAttributeKey(searchAttributes.blockedBy, SearchAttributeType.KEYWORD);
