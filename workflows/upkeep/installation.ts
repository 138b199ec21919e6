import { CancellationScope, condition, setCurrentDetails } from '@temporalio/workflow';

export interface InstallationInput {
  readonly installationId: string;
  readonly baseUrl: string;
}

/** Marks the namespace as the installation's until someone terminates it. Cancelling it changes nothing. */
export async function installation({ installationId, baseUrl }: InstallationInput): Promise<void> {
  setCurrentDetails(`This namespace belongs to the installation ${installationId} (${baseUrl}).`);
  await CancellationScope.nonCancellable(() => condition(() => false));
}
