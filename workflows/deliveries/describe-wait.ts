import type { CircuitWait } from '../../contract/deliveries/workflow.ts';

export interface DeliveryWait {
  readonly attempts: number;
  readonly lastAnswer: string | null;
  readonly nextAttemptAtMs: number;
  /** Null if no circuit is known to be open. */
  readonly circuitWait: CircuitWait | null;
}

/** The texts of a wait: of its timer, and in Markdown for the details of the workflow. */
export interface DescribedWait {
  readonly summary: string;
  readonly details: string;
}

export function describeCheck({ attempts, circuitWait }: Pick<DeliveryWait, 'attempts' | 'circuitWait'>): string {
  return circuitWait ? `check the circuit of ${circuitWait.destination}` : `check before attempt ${attempts + 1}`;
}

export function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function describeWait({ attempts, lastAnswer, nextAttemptAtMs, circuitWait }: DeliveryWait): DescribedWait {
  const at = timeText(nextAttemptAtMs);
  if (circuitWait) return describeCircuitWait(circuitWait, { attempts, at });
  return {
    summary: `attempt ${attempts + 1} at ${at}`,
    details: `Attempt ${attempts + 1} at ${at}. Attempts made: ${attempts}${lastAnswer ? `, last: ${lastAnswer}` : ''}.`,
  };
}

function describeCircuitWait(
  { destination, channelId, circuitWorkflowId, lastAnswer, probeAtMs, dashboardUrl }: CircuitWait,
  { attempts, at }: { readonly attempts: number; readonly at: string },
): DescribedWait {
  const probes = probeAtMs === null ? '' : `from ${timeText(probeAtMs)} on, `;
  // Short, because the UI cuts long texts off.
  const lines = [
    '**The circuit of the destination is open.** Nothing is sent until a probe is accepted.',
    '',
    `- Destination: \`${destination}\` of \`${channelId}\`, [delivery in the dashboard](${dashboardUrl})`,
    `- Last answer: ${lastAnswer ?? 'none'}. Attempts made: ${attempts}`,
    `- Probes: ${probes}by the workflow \`${circuitWorkflowId}\``,
    `- The circuit is checked again at ${at}`,
  ];
  return { summary: `circuit of ${destination} is open, check at ${at}`, details: lines.join('\n') };
}
