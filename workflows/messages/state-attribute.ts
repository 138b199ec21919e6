import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';

export const stateAttribute = defineSearchAttributeKey(searchAttributes.state, SearchAttributeType.KEYWORD);
