/**
 * The engine: every service of the contract over the files of one home (files page), in this process.
 * Both hosts make one of these. It starts whatever state a file is in: that file's health says so, a
 * decision that needs it denies, the rest works.
 */
import { createAuditService } from '../audit/audit.ts';
import { recordGrantLink } from '../db/grant-links.ts';
import { takeJudgeCall } from '../db/judge-calls.ts';
import { createPairingsRepository } from '../db/pairings.ts';
import { createPanelStore } from '../db/panel-store.ts';
import { createGrantsService, type Grants } from '../grants/grants.ts';
import { createOutcomeDecider, type OutcomeDecider } from '../grants/outcome-decider.ts';
import { createPolicyService } from '../grants/policy-service.ts';
import { createLevelService, type Levels, settleLevelChanges } from '../levels/levels.ts';
import { forbiddenPathMatch } from '../vaglio/guard.ts';
import { readPasswd } from '../vaglio/passwd.ts';
import { createChanges, watchFile } from './changes.ts';
import type { Clock } from './clock.ts';
import { loadConfig } from './config.ts';
import { lookAtHealth } from './health.ts';
import { createJudgeInForce, type JudgeInForce } from './judge-in-force.ts';
import { type Paths, resolvePaths } from './paths.ts';
import { loadOverrides, readPolicyOptions } from './policy-options.ts';
import { changePreferences, readPreferences } from './preferences.ts';
import type { Services } from './services.ts';
import { VERSION } from './version.ts';

export interface Engine {
  paths: Paths;
  services: Services & { level: Levels; grants: Grants };
  /** Guard and judge as they are configured. */
  judge: JudgeInForce;
  /** What the policy answers: table, grants, and the limits that are set. */
  outcome: OutcomeDecider;
  close(): Promise<void>;
}

/**
 * @param options.env as `process.env`
 * @param options.home the folder that `~` means
 * @param options.log one line about a fault that no answer carries
 * @throws UserError for a setting of the environment, of config.yaml or of policy_overrides.toml that is not valid
 */
export async function createEngine(options: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  clock: Clock;
  host: 'electron' | 'browser' | 'serve' | 'cli';
  demo: boolean;
  log: (line: string) => void;
}): Promise<Engine> {
  const { env, home, clock, host, demo, log } = options;
  const paths = resolvePaths(env, home);
  const config = await loadConfig(env, paths.configFile);
  const { staleAfterDays, ...limits } = readPolicyOptions(config.file);
  const overrides = loadOverrides(paths.overridesFile);
  const threshold = config.judge.kind === 'llm-v1' ? config.judge.thresholdLlm : config.judge.threshold;
  const passwd = readPasswd();
  const panel = createPanelStore(paths.panelDb);
  const pairings = createPairingsRepository(paths.pairingsDb);
  const note = (error: unknown): void => log(error instanceof Error ? error.message : String(error));
  try {
    settleLevelChanges(panel, pairings);
  } catch (error) {
    note(error);
  }
  const audit = createAuditService({ paths, clock, threshold });
  const grants = createGrantsService({
    paths,
    clock,
    home,
    forbiddenPath: (value) => forbiddenPathMatch(value, home, passwd),
    panel,
    staleAfterDays,
    recordLink: (oldId, newId) => panel.write((db) => recordGrantLink(db, { oldId, newId, at: clock() })),
    onError: note,
  });
  const outcome = createOutcomeDecider({ grants, panel, clock, limits: { ...limits, overrides }, onError: note });
  const changes = createChanges((announce) => watchFile(paths.pairingsDb, announce));
  const judge = createJudgeInForce({
    config: config.judge,
    env,
    home,
    clock,
    passwd,
    log,
    countCall: (asked) => panel.write((db) => takeJudgeCall(db, asked)),
  });
  const level = createLevelService({ clock, panel, pairings, grants, changes });
  const app: Services['app'] = {
    info: () => ({
      version: VERSION,
      host,
      demo,
      home,
      platform: process.platform,
      threshold,
      preferences: readPreferences(panel),
    }),
    health: () => ({ resources: lookAtHealth(paths, { panel, index: audit.state() }) }),
    setPreferences: (change) => changePreferences(panel, change),
  };
  return {
    paths,
    services: { app, audit, grants, level, policy: createPolicyService({ grants }) },
    judge,
    outcome,
    close: async () => {
      await audit.close();
      grants.close();
      pairings.close();
      panel.close();
    },
  };
}
