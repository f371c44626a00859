/**
 * Puts together what decides (pipeline page): catalogue, line, desk and the record of answers, over the services that the
 * engine has already.
 */
import { createApprovals } from '../approvals/approvals.ts';
import { createApprovalsRepository } from '../db/approvals.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Grants } from '../grants/grants.ts';
import type { OutcomeDecider } from '../grants/outcome-decider.ts';
import { realPath } from '../grants/real-path.ts';
import type { Levels } from '../levels/levels.ts';
import { type Catalogue, createCatalogue } from '../pipeline/catalogue.ts';
import { createFlights } from '../pipeline/in-flight.ts';
import type { SchemaValidator } from '../pipeline/json-schema.ts';
import { createKeeper, type Keeper } from '../pipeline/keeper.ts';
import { createLine } from '../pipeline/line.ts';
import { createLineService } from '../pipeline/line-service.ts';
import type { Line } from '../pipeline/port.ts';
import { createForbids, createRequestSettler } from '../pipeline/recheck.ts';
import type { VaglioCall } from '../pipeline/vaglio.ts';
import { checkNewGrant } from '../policy/grant-rules.ts';
import { policyVersion } from '../policy/version.ts';
import { VerdictLog } from '../vaglio/log.ts';
import { createChanges, watchFile } from './changes.ts';
import type { Clock } from './clock.ts';
import type { JudgeInForce } from './judge-in-force.ts';
import type { Paths } from './paths.ts';
import type { Services } from './services.ts';

export interface DecisionRoom {
  line: Line;
  approvals: Services['approvals'];
  lineService: Services['line'];
  catalogue: Catalogue;
  keeper: Keeper;
  log: VerdictLog;
  /** For a freeze. */
  settleRequests: ReturnType<typeof createRequestSettler>;
  close(): Promise<void>;
}

/** A verdict line that could not be written is tried again after so long, ms. */
const LOG_RETRY_MS = 1000;

export function createDecisionRoom(deps: {
  paths: Paths;
  clock: Clock;
  home: string;
  panel: PanelStore;
  grants: Pick<Grants, 'record'>;
  outcome: OutcomeDecider;
  judge: JudgeInForce;
  levelOf: Levels['effectiveLevel'];
  forbiddenPath(value: string): string | null;
  /** The limits that a person set, for the name of the rules in force. */
  limits: unknown;
}): DecisionRoom {
  const { paths, clock, home, panel, grants, outcome, judge, levelOf } = deps;
  const world = { home, realpath: realPath };
  const log = new VerdictLog({ folder: paths.verdictLog, clock });
  const keeper = createKeeper({ panel, clock });
  const catalogue = createCatalogue(paths.executors);
  const flights = createFlights(clock);
  const changes = createChanges((announce) => watchFile(paths.approvalsDb, announce));
  const repository = createApprovalsRepository(paths.approvalsDb);
  const rules = policyVersion(deps.limits);

  const guard = (call: VaglioCall): { rule: string; reason: string } | null => {
    // No score is below a threshold of 0: what is refused is refused by the guard.
    const { verdict, rule } = judge.tryOut(call, { threshold: 0 });
    return verdict.approved ? null : { rule: rule ?? 'vaglio:refused', reason: `vaglio rifiuta: ${verdict.reason}` };
  };
  const policy = { levelOf, decide: outcome.decide, tryOut: outcome.tryOut };
  const approvals = createApprovals({
    repository,
    clock,
    changes,
    world,
    recordGrant: (grant) => grants.record(grant),
    checkGrant: (grant) => void checkNewGrant(grant, { home, now: clock(), forbiddenPath: deps.forbiddenPath }),
    forbids: createForbids({ ...policy, guard }),
    policyVersion: () => rules,
  });
  let validator: SchemaValidator | null = null;
  const loadValidator = async (): Promise<SchemaValidator> => {
    const { createSchemaValidator } = await import('../pipeline/json-schema.ts');
    validator ??= createSchemaValidator();
    return validator;
  };
  const line = createLine({
    ...policy,
    clock,
    world,
    catalogue,
    flights,
    desk: approvals.desk,
    validator: () => validator ?? loadValidator(),
    evaluate: (call, signal) => judge.evaluate(call, judge.kind === 'llm-v1' ? { signal: signal() } : undefined),
    evaluateTry: (call, threshold) => judge.tryOut(call, threshold === undefined ? {} : { threshold }),
    guard,
    log: (entry) => log.write(entry),
    keep: (decision) => keeper.keep(decision),
  });
  const stopPruning = keeper.follow();
  const retry = setInterval(() => log.retry(), LOG_RETRY_MS).unref();

  return {
    line,
    approvals,
    lineService: createLineService({ line, keeper, panel }),
    catalogue,
    keeper,
    log,
    settleRequests: createRequestSettler({ desk: approvals.desk, flights, tryOut: outcome.tryOut }),
    close: async () => {
      stopPruning();
      clearInterval(retry);
      approvals.close();
      // Whoever waited gets an answer, and the answer is kept, before the record closes.
      await new Promise((resolve) => setImmediate(resolve));
      keeper.close();
      log.close();
      repository.close();
    },
  };
}
