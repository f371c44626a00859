/**
 * Puts together what weighs actions (constitution page): the laws with the world that they look at, the judge, the
 * journal and TELOS.md, over the services that the engine has already.
 */
import { join } from 'node:path';
import { createVaglio, type Vaglio } from '../constitution/evaluate.ts';
import { createJournal } from '../constitution/journal.ts';
import { createJudge } from '../constitution/judge.ts';
import type { LawFacts } from '../constitution/laws/article.ts';
import { CONSTITUTION } from '../constitution/laws/constitution.ts';
import { createPlaces } from '../constitution/laws/places.ts';
import { createProposalsService } from '../constitution/proposals.ts';
import { telosInForce } from '../constitution/telos-file.ts';
import { createApprovalsRepository } from '../db/approvals.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Grants } from '../grants/grants.ts';
import { realPath } from '../grants/real-path.ts';
import type { Levels } from '../levels/levels.ts';
import type { Catalogue } from '../pipeline/catalogue.ts';
import type { PasswdLookup } from '../vaglio/expand-user.ts';
import { createModelClient, type ModelClient, type ModelSettings } from '../vaglio/model-client.ts';
import { structureLayer } from '../vaglio/structure-layer.ts';
import { createChanges, watchFile } from './changes.ts';
import type { Clock } from './clock.ts';
import { type Config, type Env, keyVariables, modelKey } from './config.ts';
import { UserError } from './errors.ts';
import { localDay } from './judge-in-force.ts';
import type { Paths } from './paths.ts';
import type { ProposalsService } from './services.ts';

export interface ConstitutionRoom {
  vaglio: Vaglio;
  proposals: ProposalsService;
  close(): void;
}

/** Through these the agents of this machine are made to ask (agents page, "Adapters"). */
const HOOK_FILES = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.codex/config.toml', '.codex/hooks.json'],
  '.gemini/settings.json',
];

/** What laws 2 and 3 keep away from. */
function protectedPlaces(paths: Paths, home: string) {
  const { configFile, overridesFile, telosFile, lockFile, stateDir } = paths;
  const { verdictLog, turnLog, grantsDb, approvalsDb, pairingsDb, panelDb } = paths;
  const hooks = HOOK_FILES.map((file) => join(home, file));
  const lists = {
    settings: [configFile, overridesFile, telosFile, lockFile, join(stateDir, 'vaglio.sock'), ...hooks],
    record: [verdictLog, turnLog, grantsDb, approvalsDb, pairingsDb, panelDb, paths.auditHead],
  };
  return createPlaces(lists, home);
}

/** The guard's structural layer, unless the person switched it off. */
function structural({ judge }: Config, home: string): Pick<LawFacts, 'structural'> {
  const layer = structureLayer(judge.structure ? 'on' : 'off');
  if (layer === undefined) return {};
  return { structural: ({ executor, args, context }) => layer(executor, args, context, home).block?.reason ?? null };
}

/** The client, or why there is none. */
function openClient(model: ModelSettings | null, env: Env): { client: ModelClient | null; missing: string } {
  if (model === null) return { client: null, missing: 'no model: give llm_roles.judge in config.yaml' };
  const key = modelKey(env, model.provider);
  if (key === null && model.provider !== 'local') {
    return { client: null, missing: `no key for ${model.provider}: set ${keyVariables(model.provider)}` };
  }
  return { client: createModelClient(model, key), missing: '' };
}

/**
 * @param deps.countCall counts one call to the model: false when the day's are spent. May throw
 */
export function createConstitutionRoom(deps: {
  paths: Paths;
  env: Env;
  home: string;
  clock: Clock;
  config: Config;
  passwd: PasswdLookup;
  panel: PanelStore;
  grants: Pick<Grants, 'list'>;
  catalogue: Pick<Catalogue, 'find'>;
  levelOf: Levels['effectiveLevel'];
  countCall: (asked: { day: string; limit: number }) => boolean;
  log: (line: string) => void;
}): ConstitutionRoom {
  const { paths, env, home, clock, config, panel, grants, catalogue, levelOf, log } = deps;
  const { model, timeoutMs, dailyCalls } = config.judge;
  const { theta, bother } = config.constitution;
  const approvals = createApprovalsRepository(paths.approvalsDb);
  const { client, missing } = openClient(model, env);
  const llm = model === null ? null : { provider: model.provider, model: model.model, tier: model.tier };
  const dayOf = localDay;
  const changes = createChanges((announce) => watchFile(paths.telosFile, announce));
  const journal = createJournal({ panel, clock, dayOf, changed: () => changes.announce() });

  const facts: LawFacts = {
    home,
    passwd: deps.passwd,
    realpath: realPath,
    places: protectedPlaces(paths, home),
    declared: (kind) => catalogue.find(kind)?.capabilities ?? null,
    ...structural(config, home),
    // Without a sender the default counts: no pairing has an empty name.
    levelInForce: (sender) => levelOf(sender?.channel ?? '', sender?.sender_id ?? '').level,
    hasGrant: ({ id, sender, capability }) => {
      const { grants: active, problem } = grants.list({});
      if (problem !== null) throw new UserError('unreadable', problem, paths.grantsDb);
      return active.some(
        (grant) =>
          String(grant.id) === id &&
          (sender === null || (grant.channel === sender.channel && grant.sender_id === sender.sender_id)) &&
          (capability === null || grant.capability === capability),
      );
    },
    hasApproval: (token) => approvals.find(token)?.status === 'approved',
    isUnwanted: (sameness) => journal.isUnwanted(sameness),
  };
  const vaglio = createVaglio({
    constitution: CONSTITUTION,
    facts,
    readTelos: () => telosInForce({ telos: paths.telosFile, emas: paths.telosEmas }, log),
    ask: createJudge({
      client,
      missing,
      timeoutMs,
      takeCall: () => deps.countCall({ day: localDay(clock()), limit: dailyCalls }),
    }),
    llm,
    theta,
    bother,
    journal,
    clock,
    log,
  });
  const proposals = createProposalsService({
    vaglio,
    journal,
    panel,
    telosFile: paths.telosFile,
    theta,
    bother,
    llm,
    judgeProblem: client === null ? missing : null,
    clock,
    dayOf,
    changes,
  });
  return { vaglio, proposals, close: () => approvals.close() };
}
