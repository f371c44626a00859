/**
 * The engine: every service of the contract over the files of one home (files page), in this process.
 * Both hosts make one of these. It starts whatever state a file is in: that file's health says so, a
 * decision that needs it denies, the rest works.
 */
import { join } from 'node:path';
import type { AgentLine } from '../agents/agent-methods.ts';
import { createAgentsService } from '../agents/agents-service.ts';
import { type EngineDoor, openEngineDoor } from '../agents/engine-door.ts';
import { CLIENTS } from '../agents/install/clients.ts';
import { createAuditService } from '../audit/audit.ts';
import { recordGrantLink } from '../db/grant-links.ts';
import { takeJudgeCall } from '../db/judge-calls.ts';
import { createPairingsRepository } from '../db/pairings.ts';
import { createPanelStore } from '../db/panel-store.ts';
import { createGrantsService, type Grants } from '../grants/grants.ts';
import { createOutcomeDecider, type OutcomeDecider } from '../grants/outcome-decider.ts';
import { createPolicyService } from '../grants/policy-service.ts';
import { realPath } from '../grants/real-path.ts';
import { createLevelService, type Levels, settleLevelChanges } from '../levels/levels.ts';
import { createCellHistory } from '../pipeline/cell-history.ts';
import { createGrantPreview } from '../pipeline/grant-preview.ts';
import type { Line } from '../pipeline/port.ts';
import { createTurnsService } from '../turns/turns.ts';
import { forbiddenPathMatch } from '../vaglio/guard.ts';
import { readPasswd } from '../vaglio/passwd.ts';
import { createChanges, watchFile } from './changes.ts';
import type { Clock } from './clock.ts';
import { loadConfig } from './config.ts';
import { createConstitutionRoom } from './constitution-room.ts';
import { createDecisionRoom } from './decision-room.ts';
import { lookAtHealth } from './health.ts';
import { createJudgeInForce, type JudgeInForce } from './judge-in-force.ts';
import { judgeSettings } from './judge-settings.ts';
import { createJudgeTest } from './judge-test.ts';
import { controlPaths, type Paths, resolvePaths } from './paths.ts';
import { loadOverrides, readPolicyOptions } from './policy-options.ts';
import { changePreferences, readPreferences } from './preferences.ts';
import type { Services } from './services.ts';
import { VERSION } from './version.ts';

/** Only this process writes levels to panel.db; that it was deleted or replaced is noticed after so long, ms. */
const LEVELS_LOOK_AGAIN_MS = 50;

export interface Engine {
  paths: Paths;
  services: Services & { level: Levels; grants: Grants };
  /** Guard and judge as they are configured. */
  judge: JudgeInForce;
  /** What the policy answers: table, grants, and the limits that are set. */
  outcome: OutcomeDecider;
  /** Decides about proposed steps; what the agent door offers. */
  line: Line;
  /** null when none was asked for. */
  door: EngineDoor | null;
  close(): Promise<void>;
}

/**
 * @param options.env as `process.env`
 * @param options.home the folder that `~` means
 * @param options.agentDoor opens the door for agents; one that cannot be opened is told by the health
 * @param options.log one line about a fault that no answer carries
 * @throws UserError for a setting of the environment, of config.yaml or of policy_overrides.toml that is not valid
 */
export async function createEngine(options: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  clock: Clock;
  host: 'electron' | 'browser' | 'serve' | 'cli';
  demo: boolean;
  agentDoor?: boolean;
  log: (line: string) => void;
}): Promise<Engine> {
  const { env, home, clock, host, demo, agentDoor = false, log } = options;
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
  const forbiddenPath = (value: string): string | null => forbiddenPathMatch(value, home, passwd);
  const audit = createAuditService({ paths, clock, threshold });
  const turns = createTurnsService({
    paths,
    audit,
    clock,
    transcripts: () =>
      readPreferences(panel).claude_transcripts
        ? join(CLIENTS['claude-code'].folder({ env, home, project: null }), 'projects')
        : null,
  });
  const grants = createGrantsService({
    paths,
    clock,
    home,
    forbiddenPath,
    panel,
    staleAfterDays,
    recordLink: (oldId, newId) => panel.write((db) => recordGrantLink(db, { oldId, newId, at: clock() })),
    onError: note,
  });
  const outcome = createOutcomeDecider({ grants, panel, clock, limits: { ...limits, overrides }, onError: note });
  const changes = createChanges((announce) => watchFile(paths.pairingsDb, announce));
  const countCall = (asked: { day: string; limit: number }): boolean => panel.write((db) => takeJudgeCall(db, asked));
  const judge = createJudgeInForce({
    config: config.judge,
    env,
    home,
    clock,
    passwd,
    log,
    countCall,
    control: controlPaths(paths),
  });
  const level: Levels = createLevelService({
    clock,
    panel,
    pairings,
    grants,
    changes,
    settleRequests: () => room.settleRequests(),
    lookAgainMs: LEVELS_LOOK_AGAIN_MS,
  });
  const room = createDecisionRoom({
    paths,
    clock,
    home,
    panel,
    grants,
    outcome,
    judge,
    forbiddenPath,
    limits: { ...limits, overrides },
    levelOf: (channel, senderId) => level.effectiveLevel(channel, senderId),
  });
  const constitution = createConstitutionRoom({
    paths,
    env,
    home,
    clock,
    config,
    passwd,
    panel,
    grants,
    catalogue: room.catalogue,
    levelOf: (channel, senderId) => level.effectiveLevel(channel, senderId),
    countCall,
    log,
  });
  const evaluate: AgentLine['evaluate'] = ({ action, flow, urgency }, options) =>
    constitution.vaglio.evaluate(action, flow, urgency, options);
  const history = createCellHistory({
    panel,
    keeper: room.keeper,
    clock,
    levels: level,
    limits: { ...limits, overrides },
  });
  const preview = createGrantPreview({
    panel,
    keeper: room.keeper,
    catalogue: room.catalogue,
    clock,
    world: { home, realpath: realPath },
    limits: { ...limits, overrides },
  });
  const stopFalling = level.follow();
  const door = agentDoor ? await openEngineDoor({ paths, line: { ...room.line, evaluate }, clock, log }) : null;
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
    health: () => {
      const files = lookAtHealth(paths, {
        panel,
        index: audit.state(),
        store: audit.store(),
        log: room.log.health(),
        keeper: room.keeper,
      });
      return { resources: door === null ? files : [...files, door.health()] };
    },
    setPreferences: (change) => {
      const preferences = changePreferences(panel, change);
      if (change.claude_transcripts !== undefined) turns.setUpAgain();
      return preferences;
    },
    settings: () => ({
      judge: judgeSettings(config, env),
      config_file: paths.configFile,
      decisions_days: room.keeper.days(),
    }),
    testJudge: createJudgeTest({ config: config.judge, env, clock, countCall }),
    setRetention: ({ decisions_days }) => {
      room.keeper.setDays(decisions_days);
      return { decisions_days };
    },
  };
  return {
    paths,
    services: {
      agents: createAgentsService({ env, home, clock, panel, decisions: room.lineService.decisions }),
      app,
      approvals: room.approvals,
      audit,
      grants: { ...grants, preview },
      level,
      line: room.lineService,
      policy: createPolicyService({ grants, history }),
      turns,
      proposals: constitution.proposals,
    },
    line: room.line,
    door,
    judge,
    outcome,
    close: async () => {
      // While the line still stands: whoever waits is answered.
      await door?.close();
      stopFalling();
      await room.close();
      constitution.close();
      await turns.close();
      await audit.close();
      grants.close();
      pairings.close();
      panel.close();
    },
  };
}
