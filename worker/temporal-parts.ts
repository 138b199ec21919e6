import { type Client } from '@temporalio/client';
import { circuitNameOfWorkflow, deliveryIdOfWorkflow } from '../contract/ids.ts';
import type { OrganizationOf } from '../workflow-starts/workflow-calls.ts';
import { createWorkerStarts, type WorkerStarts } from '../workflow-starts/worker-starts.ts';
import { createListAbandoned } from './upkeep/abandoned-runs.ts';
import type { ActivityParts } from './create-activities.ts';

/** The parts of the activities that need Temporal. */
export type TemporalCalls = Pick<
  ActivityParts,
  'startDelivery' | 'startCircuit' | 'wakeDelivery' | 'resumeContainer' | 'listAbandoned' | 'listAbandonedCircuits'
>;

export interface TemporalParts {
  readonly calls: TemporalCalls;
  readonly connected: (client: Client) => WorkerStarts;
}

export interface StartSettings {
  readonly retryScheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly probeDelaysMs: readonly number[];
  readonly organizationOf: OrganizationOf;
}

/**
 * Pumps run before Temporal is reachable. Until then these calls fail like any call to an unreachable server, and
 * adoption repeats them.
 */
export function createTemporalParts(settings: StartSettings): TemporalParts {
  let parts: TemporalCalls | undefined;
  const present = (): TemporalCalls => {
    if (!parts) throw new Error('Temporal is not connected yet');
    return parts;
  };
  return {
    calls: {
      startDelivery: async (delivery) => await present().startDelivery(delivery),
      startCircuit: async (destination) => await present().startCircuit(destination),
      wakeDelivery: async (deliveryId) => await parts?.wakeDelivery(deliveryId),
      resumeContainer: async (container) => await present().resumeContainer(container),
      listAbandoned: async (since) => await present().listAbandoned(since),
      listAbandonedCircuits: async (since) => await present().listAbandonedCircuits(since),
    },
    connected(client) {
      const starts = createWorkerStarts({ client, ...settings });
      parts = {
        startDelivery: starts.startDelivery,
        startCircuit: starts.signalCircuit,
        wakeDelivery: starts.wakeDelivery,
        resumeContainer: (container) => starts.start('carryContainer', { container, resumed: true }),
        listAbandoned: createListAbandoned(client, { workflowType: 'deliverWebhook', idOf: deliveryIdOfWorkflow }),
        listAbandonedCircuits: createListAbandoned(client, {
          workflowType: 'destinationCircuit',
          idOf: circuitNameOfWorkflow,
        }),
      };
      return starts;
    },
  };
}
