import { z } from 'zod';

/** The three autonomy levels, from strictest to widest (policy page, section 2). */
export const AUTONOMY_LEVELS = ['ReadOnly', 'Supervised', 'Full'] as const;
export const autonomyLevelSchema = z.enum(AUTONOMY_LEVELS);
export type AutonomyLevel = z.infer<typeof autonomyLevelSchema>;

/**
 * The closed vocabulary of capabilities, in registry order (policy page, section 1).
 * It is a security asset: nothing registers another one at run time.
 */
export const CAPABILITY_NAMES = [
  'fs:read',
  'fs:write',
  'code:exec',
  'network:http',
  'llm:local',
  'llm:online',
  'mail:read',
  'mail:send',
  'channel:in',
  'channel:out',
  'time:read',
  'parse:local',
  'calendar:read',
] as const;
export const capabilityNameSchema = z.enum(CAPABILITY_NAMES);
export type CapabilityName = z.infer<typeof capabilityNameSchema>;

export const defaultApprovalSchema = z.enum(['none', 'per_target', 'always']);

export const targetKindSchema = z.enum(['path_glob', 'exact', 'host', 'none']);
export type TargetKind = z.infer<typeof targetKindSchema>;

export const outcomeSchema = z.enum(['allowed', 'approval_required', 'denied']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** One entry of the registry; the key order is the order on the command line. */
export const capabilitySchema = z.object({
  name: capabilityNameSchema,
  critical: z.boolean(),
  default_approval: defaultApprovalSchema,
  target_kind: targetKindSchema,
  description: z.string(),
});
export type Capability = z.infer<typeof capabilitySchema>;
