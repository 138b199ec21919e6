import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import { pluralize } from '../../kit/format/pluralize.ts';
import { RadioGroup } from '../../kit/forms/radio-group.tsx';

interface PendingChoiceProps {
  readonly waitingCount: number;
  readonly value: PendingChoice;
  readonly onValue: (value: PendingChoice) => void;
}

export function PendingChoiceField({ waitingCount, value, onValue }: PendingChoiceProps) {
  return (
    <RadioGroup
      legend={`${pluralize(waitingCount, 'delivery is', 'deliveries are')} waiting for the current URL`}
      options={[
        { value: 'follow', label: 'Send them to the new URL' },
        { value: 'keep', label: 'Keep sending them to the old URL', hint: 'until they are delivered or exhausted' },
        { value: 'cancel', label: 'Cancel them' },
      ]}
      value={value}
      onValue={onValue}
    />
  );
}
