import { integer, type Setting } from './setting-values.ts';

export const alertSettings = {
  alertCircuitMinutes: {
    name: 'ALERT_CIRCUIT_MINUTES',
    default: '10',
    description: "Number of minutes after which a destination's open circuit is an alert.",
    parse: integer(0, 10_000),
  },
  alertGatherSeconds: {
    name: 'ALERT_GATHER_SECONDS',
    default: '60',
    description:
      'Number of seconds for which alerts are gathered before one email lists them. Further emails to the same organization follow after ten times as long.',
    parse: integer(1, 3_600),
  },
} satisfies Record<string, Setting>;
