import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';

/** The state of the delivery, container, … of a workflow, such as the ledger status of a delivery. */
export const stateAttribute = defineSearchAttributeKey(searchAttributes.state, SearchAttributeType.KEYWORD);
