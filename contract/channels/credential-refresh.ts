export interface RefreshCredentialInput {
  readonly credentialId: string;
  readonly waitsMs: readonly number[];
}

/** The last delay repeats. A credential is due days before it expires. */
export const defaultRefreshWaitsMs: readonly number[] = [60_000, 600_000, 3_600_000, 21_600_000];
