/**
 * The full vaglio (constitution page, sections 1 and 3): the constitutional guard always, the judge for what the agent
 * proposes by itself, one traced decision. Files, models and clocks come as arguments.
 */
import { createHash, randomUUID } from 'node:crypto';
import type {
  Action,
  AlignmentTerms,
  CompactAction,
  ConstitutionalVerdict,
  FinalDecision,
  Flow,
  LlmConfig,
  TeleologicalVerdict,
  Telos,
  VaglioResult,
} from '../../shared/domain/constitution.ts';
import { compactAction, readAction, readFlow, readUrgency, sameness } from './action.ts';
import { align, decideAlignment } from './alignment.ts';
import { type BotherBudget, botherCost } from './bother.ts';
import { JudgeUnavailable } from './errors.ts';
import type { AskJudge, JudgeEstimate } from './judge.ts';
import type { JudgedAction, LawFacts } from './laws/article.ts';
import { type Constitution, guardAction } from './laws/constitution.ts';

/** What the journal keeps of an evaluation; no value of args. */
export interface EvaluationRecord {
  flow: Flow;
  capability: string | null;
  targets: readonly string[];
  action: CompactAction;
  fingerprint: string;
  result: VaglioResult;
}

/** Where evaluations are kept. */
export interface Journal {
  /**
   * Keeps what `make` answers, which it asks with the number of proposals published today: both in one transaction, so
   * that two at once do not pay the same price. @throws when it cannot be kept
   */
  keep(make: (publishedToday: number) => EvaluationRecord): EvaluationRecord;
}

export interface TelosInForce {
  /** As the user wrote it; null without a usable one. */
  text: string | null;
  teloi: readonly Telos[];
  /** Why there are none; null when there are. */
  problem: string | null;
  emas: Readonly<Record<string, number>>;
}

export interface Vaglio {
  /**
   * @param urgency of the proposer, clamped to [0.5, 2]; 1 when absent
   * @throws InvalidAction naming the field, ConstitutionUnavailable when a law cannot be applied
   */
  evaluate(action: unknown, flow: Flow, urgency?: number, options?: { signal?: AbortSignal }): Promise<VaglioResult>;
  /** Hash of the judge's provider, model and tier; in every record. */
  auditSignature(): string;
}

export interface VaglioDeps {
  /** null stops every evaluation. */
  constitution: Constitution | null;
  facts: LawFacts;
  readTelos(): TelosInForce;
  ask: AskJudge;
  /** null: no judge is configured. */
  llm: LlmConfig | null;
  /** At or above it a proposal is published. */
  theta: number;
  bother: BotherBudget;
  journal: Journal;
  /** Unix time, ms. */
  clock: () => number;
  /** One line about a fault that no answer carries. */
  log(line: string): void;
}

const NO_MODEL: LlmConfig = { provider: 'none', model: 'none', tier: 'none' };

/** Changes with provider, model and tier, and with nothing else. */
export function auditSignature(llm: LlmConfig | null): string {
  const { provider, model, tier } = llm ?? NO_MODEL;
  return createHash('sha256')
    .update(JSON.stringify([provider, model, tier]))
    .digest('hex');
}

/** Names a proposal to people and tables. */
export function fingerprintOf(same: string): string {
  return createHash('sha256').update(same).digest('hex');
}

/** What the laws look at; of plan, impact and rationale no more than whether they are there. */
export function judgedAction(action: Action, flow: Flow): JudgedAction {
  const { kind, targets, args, capability, reversibility, channel, sender_id } = action;
  const compact = compactAction(action);
  const missing = [
    ...(compact.plan.length === 0 ? ['plan'] : []),
    ...(compact.rationale.trim() === '' ? ['rationale'] : []),
    ...(compact.impact.trim() === '' ? ['impact'] : []),
  ];
  const sender = channel === undefined || sender_id === undefined ? null : { channel, sender_id };
  const same = sameness(action);
  return {
    kind,
    targets,
    args,
    capability,
    reversibility,
    flow,
    ownScope: compact.scope,
    sender,
    missing,
    sameness: same,
  };
}

/** What a proactive action comes to, once the judge has answered or has not. */
interface Weighed {
  decision: Exclude<FinalDecision, 'block' | 'allow'>;
  judge: TeleologicalVerdict;
  terms: AlignmentTerms | null;
  reason: string;
}

type Estimated = { estimate: JudgeEstimate } | { decision: 'reject' | 'defer'; why: string };

const FINAL = { publish: 'publish', reject: 'reject', defer_to_digest: 'defer' } as const;
const TELEOLOGICAL = { publish: 'publish', reject: 'reject', defer: 'defer_to_digest' } as const;
const shown = (value: number): string => String(Number(value.toFixed(4)));

export function createVaglio(deps: VaglioDeps): Vaglio {
  const { constitution, facts, readTelos, ask, llm, theta, bother, journal, clock, log } = deps;
  const signature = auditSignature(llm);

  const estimated = async (action: Action, telos: TelosInForce, signal?: AbortSignal): Promise<Estimated> => {
    if (telos.text === null || telos.teloi.length === 0) {
      return { decision: 'reject', why: telos.problem === null ? 'no telos' : `no telos: ${telos.problem}` };
    }
    try {
      const input = { action: compactAction(action), telos: telos.text };
      const ids = telos.teloi.map(({ id }) => id);
      return { estimate: await ask(input, ids, signal) };
    } catch (error) {
      const why = error instanceof JudgeUnavailable ? error.message : 'it failed';
      if (!(error instanceof JudgeUnavailable)) log(`The judge of proposals failed: ${String(error)}`);
      return { decision: 'defer', why: `the judge is unavailable: ${why}` };
    }
  };

  const weigh = (found: Estimated, telos: TelosInForce, urgency: number, publishedToday: number): Weighed => {
    const cost = botherCost(bother, publishedToday);
    if ('why' in found) {
      return { decision: found.decision, judge: unjudged(found.decision, cost), terms: null, reason: found.why };
    }
    const { fits, confidence } = found.estimate;
    const terms = align(telos.teloi, telos.emas, { fits, confidence, urgency, botherCost: cost });
    const decision = decideAlignment(terms, theta);
    const per_telos = terms.teloi.map(({ telos_id, fit }) => {
      const why = fits.find((one) => one.telos_id === telos_id)?.why;
      return { telos_id, fit, why: why ?? 'the judge left it out' };
    });
    const { expected_alignment } = terms;
    const judge = { expected_alignment, per_telos, confidence, bother_cost: cost, threshold_used: theta, decision };
    return { decision: FINAL[decision], judge, terms, reason: reasonFor(decision, terms) };
  };

  const unjudged = (decision: 'reject' | 'defer', bother_cost: number): TeleologicalVerdict => ({
    expected_alignment: 0,
    per_telos: [],
    confidence: 0,
    bother_cost,
    threshold_used: theta,
    decision: TELEOLOGICAL[decision],
  });

  const reasonFor = (decision: TeleologicalVerdict['decision'], terms: AlignmentTerms): string => {
    const { expected_alignment, before_bother, bother_cost } = terms;
    const reached = shown(expected_alignment);
    if (decision === 'publish') return `alignment ${reached} reaches θ ${shown(theta)}`;
    if (decision === 'reject') return `alignment ${shown(before_bother)} is below θ ${shown(theta)}`;
    const before = `alignment ${shown(before_bother)} reaches θ ${shown(theta)}`;
    return `${before}, but not after the bother cost ${shown(bother_cost)}: ${reached}`;
  };

  return {
    auditSignature: () => signature,
    async evaluate(given, givenFlow, givenUrgency, options) {
      const flow = readFlow(givenFlow);
      const action = readAction(given, flow);
      const urgency = readUrgency(givenUrgency);
      const judged = judgedAction(action, flow);
      const guard: ConstitutionalVerdict = guardAction(constitution, judged, facts);
      const common = {
        action_id: action.action_id ?? randomUUID(),
        guard,
        llm_config_used: llm ?? NO_MODEL,
        at: new Date(clock()).toISOString(),
        urgency,
        audit_signature: signature,
      };
      const recordOf = (result: VaglioResult): EvaluationRecord => ({
        flow,
        capability: action.capability ?? null,
        targets: action.targets,
        action: compactAction(action),
        fingerprint: fingerprintOf(judged.sameness),
        result,
      });
      const clamped = urgency.given === urgency.used ? '' : `; urgency ${urgency.given} was clamped to ${urgency.used}`;

      if (!guard.passes || flow === 'reactive') {
        const decided = guard.passes
          ? ({ final_decision: 'allow', reason: 'no law is contradicted' } as const)
          : ({ final_decision: 'block', reason: `${guard.contradicted_article}: ${guard.reason}` } as const);
        const result: VaglioResult = { ...common, ...decided, judge: null, terms: null };
        try {
          return journal.keep(() => recordOf(result)).result;
        } catch (error) {
          // A record that cannot be written changes no verdict of the guard.
          log(`An evaluation is not in the journal: ${error instanceof Error ? error.message : String(error)}`);
          return result;
        }
      }

      const telos = readTelos();
      const found = await estimated(action, telos, options?.signal);
      const resultOf = ({ decision, judge, terms, reason }: Weighed): VaglioResult => ({
        ...common,
        final_decision: decision,
        judge,
        terms,
        reason: `${reason}${clamped}`,
      });
      try {
        return journal.keep((today) => recordOf(resultOf(weigh(found, telos, urgency.used, today)))).result;
      } catch (error) {
        // Without the journal nobody knows what today's interruptions cost, and nothing could be traced.
        const why = error instanceof Error ? error.message : String(error);
        log(`A proposal is not in the journal: ${why}`);
        return resultOf({
          decision: 'defer',
          judge: unjudged('defer', 0),
          terms: null,
          reason: `the journal cannot be kept: ${why}`,
        });
      }
    },
  };
}
