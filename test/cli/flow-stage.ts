import type { ExecutionContext } from 'ava';
import type { SharedSystem } from '../harness/system/shared-system.ts';
import type { Cli } from './cli-run.ts';

export interface FlowStage {
  readonly t: ExecutionContext;
  readonly system: SharedSystem;
  readonly cli: Cli;
}
