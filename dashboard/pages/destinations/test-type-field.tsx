import { type ChannelType, type EventType, eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { SelectField } from '../../kit/forms/field.tsx';

interface TestTypeFieldProps {
  readonly channelType: ChannelType;
  readonly value: EventType;
  readonly onValue: (value: EventType) => void;
}

export function TestTypeField({ channelType, value, onValue }: TestTypeFieldProps) {
  const types = eventTypes.filter((eventType) => fitsChannelType(eventType, channelType));
  return (
    <SelectField
      label="Event type"
      value={value}
      options={types.map((eventType) => [eventType, eventType] as const)}
      onValue={onValue}
    />
  );
}
