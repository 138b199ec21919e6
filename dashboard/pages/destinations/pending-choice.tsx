import type { PendingChoice } from '../../../contract/destinations/pending-deliveries.ts';
import { counted } from '../../kit/texts/counted.ts';
import { RadioGroup } from '../../kit/forms/radio-group.tsx';

interface PendingChoiceProps {
  readonly waitingCount: number;
  readonly value: PendingChoice;
  readonly onValue: (value: PendingChoice) => void;
}

/** What becomes of deliveries that wait for the URL of before. */
export function PendingChoiceField({ waitingCount, value, onValue }: PendingChoiceProps) {
  return (
    <RadioGroup
      legend={`${counted(waitingCount, 'delivery waits', 'deliveries wait')} for the URL so far`}
      options={[
        { value: 'follow', words: 'Send them to the new URL' },
        { value: 'keep', words: 'Keep sending them to the old URL', hint: 'until they are delivered or exhausted' },
        { value: 'cancel', words: 'Cancel them' },
      ]}
      value={value}
      onValue={onValue}
    />
  );
}
