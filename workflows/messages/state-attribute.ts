import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';

/** The state of what a workflow carries: for a delivery its ledger status. */
export const stateAttribute = defineSearchAttributeKey(searchAttributes.state, SearchAttributeType.KEYWORD);
