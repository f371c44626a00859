/**
 * Puts the hook into a client's own settings and takes it out again (agents page, "Adapters"). It changes nothing else,
 * keeps what was there, and refuses what it cannot read.
 */
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { UserError } from '../../engine/errors.ts';
import { CLIENTS, type ClientName, type ClientSettings, type Place } from './clients.ts';
import type { HookCommand } from './hook-command.ts';
import { ourHooks, readJsonSettings, withHook, withoutHook } from './json-hooks.ts';
import { lineDiff } from './line-diff.ts';
import { readSettings, writeSettings } from './settings-file.ts';
import { ourTomlHooks, readTomlSettings, withoutTomlHook, withTomlHook } from './toml-hooks.ts';

/** What would be done to one file. */
export interface SettingsChange {
  client: ClientName;
  path: string;
  /** null: there is no file. */
  before: string | null;
  after: string;
  /** As `lineDiff`; empty: it is so already. */
  diff: string[];
  /** What a person has to know or do. */
  notes: string[];
}

/** @throws UserError for a project that is no folder, and for settings that cannot be read */
export function planInstall(client: ClientName, place: Place, command: HookCommand): SettingsChange {
  checkProject(place);
  const settings = CLIENTS[client];
  const path = settingsPath(settings, place);
  const before = readSettings(path);
  const group = settings.group(command);
  const after = path.endsWith('.toml')
    ? withTomlHook(before ?? '', settings, group, path)
    : withHook(before ?? '', settings, group, path);
  const notes = [...settings.afterwards(place), ...switchedOff(settings, place)];
  return { client, path, before, after, diff: lineDiff(before ?? '', after), notes };
}

/** @throws UserError as `planInstall` */
export function planUninstall(client: ClientName, place: Place): SettingsChange {
  checkProject(place);
  const settings = CLIENTS[client];
  const path = settingsPath(settings, place);
  const before = readSettings(path);
  const given = before ?? '';
  const after = path.endsWith('.toml') ? withoutTomlHook(given, settings, path) : withoutHook(given, settings, path);
  const notes = [`${settings.title} asks nobody any more, once it was started again.`];
  return { client, path, before, after, diff: lineDiff(given, after), notes: before === after ? [] : notes };
}

/** @returns path of the copy of what was there, or null. @throws UserError when it cannot be written */
export function applyChange({ path, before, after }: SettingsChange, now: number): string | null {
  return before === after || (before === null && after === '') ? null : writeSettings(path, before, after, now);
}

/** Our hook as a client has it. */
export interface Installed {
  client: ClientName;
  path: string;
  /** Words of the command that the client starts; null: not installed. */
  command: string[] | null;
  /** The client has it start by a shell. */
  isShell: boolean;
  /** Why the settings cannot be read, or why the client does not run the hook. */
  problem: string | null;
}

/** Never throws. */
export function lookAtInstalled(client: ClientName, place: Place): Installed {
  const settings = CLIENTS[client];
  const folder = settings.folder(place);
  const found: Installed = { client, path: join(folder, settings.file), command: null, isShell: false, problem: null };
  try {
    const path = settingsPath(settings, place);
    found.path = path;
    const text = readSettings(path);
    if (text === null) return found;
    const [hook] = path.endsWith('.toml')
      ? ourTomlHooks(readTomlSettings(text, path), settings)
      : ourHooks(readJsonSettings(text, path), settings, path).map(({ entry }) => entry);
    if (hook === undefined) return found;
    const { command, args } = hook as { command?: unknown; args?: unknown };
    const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
    return {
      ...found,
      command: words,
      isShell: !Array.isArray(args),
      problem: switchedOff(settings, place)[0] ?? null,
    };
  } catch (error) {
    return { ...found, problem: error instanceof Error ? error.message : String(error) };
  }
}

function checkProject({ project }: Place): void {
  if (project === null) return;
  if (isAbsolute(project) && existsSync(project) && statSync(project).isDirectory()) return;
  throw new UserError('bad-input', `${project} is no folder.`, project);
}

/** Codex reads a file of hooks and its configuration; where hooks stand in the latter alone, ours goes there too. */
function settingsPath(settings: ClientSettings, place: Place): string {
  const folder = settings.folder(place);
  const path = join(folder, settings.file);
  if (settings.name !== 'codex' || existsSync(path)) return path;
  const config = join(folder, 'config.toml');
  const text = readSettings(config);
  return text !== null && Object.hasOwn(readTomlSettings(text, config), 'hooks') ? config : path;
}

/** Why the client would not run its hooks. */
function switchedOff(settings: ClientSettings, place: Place): string[] {
  const folder = settings.folder(place);
  switch (settings.name) {
    case 'claude-code':
      return isOff(join(folder, 'settings.json'), (tree) => tree.disableAllHooks === true, 'disableAllHooks');
    case 'gemini':
      return isOff(
        join(folder, 'settings.json'),
        (tree) => (tree.hooksConfig as { enabled?: unknown } | undefined)?.enabled === false,
        'hooksConfig.enabled',
      );
    case 'codex': {
      const config = join(folder, 'config.toml');
      const text = readSettings(config);
      if (text === null) return [];
      const features = readTomlSettings(text, config).features as Record<string, unknown> | undefined;
      const isFalse = features?.hooks === false || features?.codex_hooks === false;
      return isFalse
        ? [`${config} switches all hooks off (features.hooks): nothing is asked until you change that.`]
        : [];
    }
    default:
      return settings.name satisfies never;
  }
}

function isOff(path: string, off: (tree: Record<string, unknown>) => boolean, key: string): string[] {
  const text = readSettings(path);
  if (text === null || !off(readJsonSettings(text, path))) return [];
  return [`${path} switches all hooks off (${key}): nothing is asked until you change that.`];
}
