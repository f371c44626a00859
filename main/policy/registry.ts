import type { Capability, CapabilityName } from '../../shared/domain/capability.ts';

/**
 * The closed registry (policy page, section 1), in its own order. Nothing adds to it at run time:
 * a capability more is a change of this file, with its tests.
 */
export const REGISTRY: readonly Readonly<Capability>[] = Object.freeze(
  (
    [
      entry('fs:read', false, 'per_target', 'path_glob', 'read local files inside declared globs'),
      entry('fs:write', true, 'per_target', 'path_glob', 'write or change files inside declared globs'),
      entry('code:exec', true, 'always', 'exact', 'run a shell command of a whitelist'),
      entry('network:http', false, 'per_target', 'host', 'HTTP(S) GET/POST to authorised hosts'),
      entry('llm:local', false, 'none', 'none', 'local model call, no cost'),
      entry('llm:online', false, 'per_target', 'none', 'online model call, costs money'),
      entry('mail:read', false, 'per_target', 'exact', 'read an authorised IMAP mailbox'),
      entry('mail:send', true, 'always', 'exact', 'send by SMTP (irreversible)'),
      entry('channel:in', false, 'none', 'exact', 'receive from a channel'),
      entry('channel:out', false, 'per_target', 'exact', 'send to one channel'),
      entry('time:read', false, 'none', 'none', 'clock and time zones'),
      entry('parse:local', false, 'none', 'none', 'parse known formats locally'),
      entry('calendar:read', false, 'per_target', 'exact', 'read an authorised calendar'),
    ] satisfies Capability[]
  ).map((capability) => Object.freeze(capability)),
);

const byName: ReadonlyMap<string, Readonly<Capability>> = new Map(REGISTRY.map((one) => [one.name, one]));

/** The entry of that name, or null when the registry does not hold it. */
export function capabilityNamed(name: string): Readonly<Capability> | null {
  return byName.get(name) ?? null;
}

function entry(
  name: CapabilityName,
  critical: boolean,
  default_approval: Capability['default_approval'],
  target_kind: Capability['target_kind'],
  description: string,
): Capability {
  return { name, critical, default_approval, target_kind, description };
}
