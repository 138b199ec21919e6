import type { ExecutionContext } from 'ava';
import type { MailInbox } from '../../simulator/mail/inbox.ts';
import type { System } from '../harness/system/system.ts';
import type { Cli } from './cli-run.ts';

export interface FlowStage {
  readonly t: ExecutionContext;
  readonly system: System;
  readonly cli: Cli;
  readonly inbox: MailInbox;
}
