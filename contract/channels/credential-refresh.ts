export interface RefreshCredentialInput {
  readonly credentialId: string;
  /** The last one repeats. */
  readonly waitsMs: readonly number[];
}

/** Starts with short delays and ends with long ones, because a credential is due days before it expires. */
export const defaultRefreshWaitsMs: readonly number[] = [60_000, 600_000, 3_600_000, 21_600_000];
