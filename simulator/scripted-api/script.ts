import { z } from 'zod';
import type { ScriptedFault } from './fault.ts';

export interface CommonSettings<F extends ScriptedFault> {
  readonly deadTokens: readonly string[];
  readonly faults: readonly F[];
}

export const commonDefaults = { deadTokens: [], faults: [] } as const satisfies CommonSettings<ScriptedFault>;

export const commonControls = {
  deadTokens: z.array(z.string().min(1)).max(1_000).optional(),
};

type Change<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: T[K] | undefined }
    : T;
export type SettingsChange<S> = { readonly [K in keyof S]?: Change<S[K]> | undefined };

/** A fault's `match` must equal these values; functions accept or reject the wanted value. */
export interface Subject {
  readonly [property: string]: SubjectProperty;
}
type SubjectProperty = string | number | boolean | null | undefined | ((wanted: unknown) => boolean);

export interface Script<F extends ScriptedFault, S extends CommonSettings<F>> {
  settings(): S;
  /** Counts the fault as used. */
  takeFault(at: string, subject: Subject): F | undefined;
  control(change: SettingsChange<S>): void;
  reset(): void;
}

/** The fields of `groups` change one by one; other settings are replaced as a whole. */
export function createScript<F extends ScriptedFault, S extends CommonSettings<F>>(
  initial: S,
  groups: readonly (keyof S & string)[],
): Script<F, S> {
  let settings = initial;

  return {
    settings: () => settings,
    takeFault(at, subject) {
      const isFor = (fault: F): boolean => (fault.at ?? at) === at && matches(fault.match, subject);
      const { taken, left } = takeFirst(settings.faults, isFor);
      settings = { ...settings, faults: left };
      return taken;
    },
    control(change) {
      settings = overlay(settings, change, groups);
    },
    reset() {
      settings = initial;
    },
  };
}

/** Counts a use of the first wanted entry. `left` omits used-up entries. */
export function takeFirst<T extends { readonly times?: number | undefined }>(
  list: readonly T[],
  isWanted: (entry: T) => boolean,
): { readonly taken: T | undefined; readonly left: readonly T[] } {
  const taken = list.find(isWanted);
  const times = taken?.times;
  if (taken === undefined || times === undefined) return { taken, left: list };
  const left = list.flatMap((entry) => {
    if (entry !== taken) return [entry];
    return times > 1 ? [{ ...entry, times: times - 1 }] : [];
  });
  return { taken, left };
}

export function matches(match: object = {}, subject: Subject): boolean {
  return Object.entries(match).every(([name, wanted]: [string, unknown]) => {
    const value = subject[name];
    return wanted === undefined || (typeof value === 'function' ? value(wanted) : value === wanted);
  });
}

function overlay<S extends object>(settings: S, change: object, groups: readonly string[] = []): S {
  const current = new Map<string, unknown>(Object.entries(settings));
  const changed = Object.entries(change).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || !current.has(name)) return [];
    const old = current.get(name);
    const isGroup = groups.includes(name) && typeof old === 'object' && old !== null && typeof value === 'object';
    return [[name, isGroup ? overlay(old, value ?? {}) : value]];
  });
  return { ...settings, ...Object.fromEntries(changed) };
}
