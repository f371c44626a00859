import type { ConfigFile } from './config-file.ts';
import { VaglioConfigError } from './errors.ts';

/** What the person set for proposals (constitution page, section 5). */
export interface ConstitutionConfig {
  /** Alignment at which a proposal is published. */
  theta: number;
  bother: { base: number; dailyQuota: number };
}

const DEFAULTS = { theta: 0.3, base: 0.1, dailyQuota: 5 };
const THETA = ['vaglio', 'theta'];
const BOTHER = ['vaglio', 'bother'];
const JUDGE_ROLE = ['llm_roles', 'judge'];
const PROPOSER_ROLE = ['llm_roles', 'proposer'];

/** @throws VaglioConfigError naming file and line */
export function readConstitutionConfig(file: ConfigFile): ConstitutionConfig {
  const unknown = file.names(BOTHER).find((name) => !['base', 'daily_quota'].includes(name));
  if (unknown !== undefined) {
    throw file.error([...BOTHER, unknown], 'is no setting of the bother budget: there are base, daily_quota');
  }
  return {
    // An urgent proposal can reach 2.
    theta: file.number(THETA, { min: 0, max: 2 }) ?? DEFAULTS.theta,
    bother: {
      base: file.number([...BOTHER, 'base'], { min: 0, max: 10 }) ?? DEFAULTS.base,
      dailyQuota:
        file.number([...BOTHER, 'daily_quota'], { min: 1, max: 10_000, integer: true }) ?? DEFAULTS.dailyQuota,
    },
  };
}

/**
 * `separation_level: provider` holds only where both providers are known and differ.
 * @throws VaglioConfigError naming both lines
 */
export function refuseSharedProvider(file: ConfigFile, judgeProvider: string): void {
  const judge = [...JUDGE_ROLE, 'provider'];
  const proposer = [...PROPOSER_ROLE, 'provider'];
  const other = file.text(proposer);
  if (other === null) {
    const line = file.line([...JUDGE_ROLE, 'separation_level']);
    const says = `is not given, but separation_level in line ${line} is provider: name the proposer's provider, so that they can be told apart`;
    throw file.error(proposer, says);
  }
  if (other === judgeProvider) {
    throw file.error(
      judge,
      `is ${judgeProvider}, as for the proposer in line ${file.line(proposer)}, but separation_level is provider: choose another provider for one of them`,
    );
  }
}

/** Every setting that stops the start goes out under one name. */
export function asConfigError(error: unknown): unknown {
  const isSetting =
    error instanceof Error && error.name === 'UserError' && 'code' in error && error.code === 'bad-input';
  if (!isSetting) return error;
  const subject = 'subject' in error && typeof error.subject === 'string' ? error.subject : null;
  return new VaglioConfigError(error.message, subject, { cause: error });
}
