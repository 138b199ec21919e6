import type { z } from 'zod';
import { settingConflicts } from './setting-conflicts.ts';
import { type Program, type Setting, settings } from './settings.ts';

/** The only reader of the environment. Main files call `loadConfig` and pass values on; tests call `readConfig`. */
type Settings = typeof settings;
export type SettingKey = keyof Settings;

export type Config = {
  readonly [Key in SettingKey]: Settings[Key] extends { default: string }
    ? z.output<Settings[Key]['parse']>
    : z.output<Settings[Key]['parse']> | undefined;
};

/** The settings that a program reads. Another one is a type error, so that the table of settings is right. */
export type SettingKeyOf<Reader extends Program> = {
  [Key in SettingKey]: Reader extends Settings[Key]['readers'][number] ? Key : never;
}[SettingKey];

export type ConfigOf<Reader extends Program> = Pick<Config, SettingKeyOf<Reader>>;

type With<Part extends Partial<Config>, Required extends SettingKey> = Part & {
  readonly [Key in Required]: NonNullable<Config[Key]>;
};

export type ConfigReading<Part> =
  { readonly ok: true; readonly config: Part } | { readonly ok: false; readonly problems: readonly string[] };

export interface ConfigNeeds<Required extends SettingKey> {
  readonly required?: readonly Required[];
  /** Optional. Reads only the settings of this program. Default: all. */
  readonly reader?: Program;
}

export function readConfig<Required extends SettingKey = never>(
  env: NodeJS.ProcessEnv,
  { required = [], reader }: ConfigNeeds<Required> = {},
): ConfigReading<With<Config, Required>> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  /** Problems of derived defaults, reported only if there is no other problem. */
  const consequences: string[] = [];
  const needed = new Set<string>(required);
  for (const [key, setting] of settingsOf(reader)) {
    values[key] = undefined;
    const text = textOf(env, setting);
    if (text === undefined && needed.has(key)) problems.push(`${setting.name} is not set`);
    if (text === undefined) continue;
    const result = setting.parse.safeParse(text);
    if (result.success) values[key] = result.data;
    else (givenText(env, setting) ? problems : consequences).push(...problemsOf(setting, result.error));
  }
  if (problems.length + consequences.length > 0) {
    return { ok: false, problems: problems.length > 0 ? problems : consequences };
  }
  // TypeScript cannot see that the loop has set every key.
  const config = values as With<Config, Required>;
  // The other programs know some of the compared settings only.
  const conflicts = reader === undefined || reader === 'worker' ? settingConflicts(config) : [];
  return conflicts.length > 0 ? { ok: false, problems: conflicts } : { ok: true, config };
}

function settingsOf(reader: Program | undefined): [string, Setting][] {
  return Object.entries<Setting>(settings).filter(([, { readers }]) => !reader || readers.includes(reader));
}

export function loadConfig<Reader extends Program, Required extends SettingKeyOf<Reader> = never>(
  needs: ConfigNeeds<Required> & {
    readonly reader: Reader;
    /** Optional. Printed after the problems. */
    readonly hint?: string;
  },
): With<ConfigOf<Reader>, Required> {
  const reading = readConfig(process.env, needs);
  if (reading.ok) return reading.config;
  const hint = needs.hint === undefined ? '' : `${needs.hint}\n`;
  process.stderr.write(`Invalid settings:\n${reading.problems.map((line) => `  ${line}\n`).join('')}${hint}`);
  process.exit(1);
}

export function describeConfig(config: Partial<Config>): Record<string, unknown> {
  const read = Object.entries<Setting>(settings).filter(([key]) => key in config);
  return Object.fromEntries(
    read.map(([key, { secret }]) => {
      const value: unknown = config[key as SettingKey];
      return [key, secret ? value !== undefined : value];
    }),
  );
}

function problemsOf({ name }: Setting, error: z.ZodError): string[] {
  return [...new Set(error.issues.map(({ message }) => `${name} ${message}`))];
}

/** An empty value counts as unset, as in a copy of `.env.example`. */
function givenText(env: NodeJS.ProcessEnv, { name }: Setting): string | undefined {
  return env[name]?.trim() || undefined;
}

function textOf(env: NodeJS.ProcessEnv, setting: Setting): string | undefined {
  return givenText(env, setting) ?? setting.default?.replace(/\{(\w+)\}/g, (_, name: string) => textOfName(env, name));
}

function textOfName(env: NodeJS.ProcessEnv, name: string): string {
  const setting = Object.values<Setting>(settings).find((candidate) => candidate.name === name);
  return ((setting && textOf(env, setting)) ?? '').replace(/(?<!\/)\/+$/, '');
}
