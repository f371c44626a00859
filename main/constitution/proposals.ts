/**
 * The proposals service (ui and constitution pages): evaluations, their journal, what people answer, TELOS.md. May not
 * import another feature: the world that the laws look at comes as `vaglio`.
 */
import type { LlmConfig } from '../../shared/domain/constitution.ts';
import { deferredOn, dropUnwanted, judgedPoints, listEvaluations, listUnwanted } from '../db/evaluations.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Changes } from '../engine/changes.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { ProposalsService } from '../engine/services.ts';
import { type BotherBudget, botherCost } from './bother.ts';
import { calibrate } from './calibration.ts';
import type { Vaglio } from './evaluate.ts';
import type { ProposalJournal } from './journal.ts';
import { readTelos } from './telos.ts';
import { lookAtTelos, saveTelos } from './telos-file.ts';

/** Enough for a year of a talkative agent; more would say nothing else. */
const MOST_POINTS = 5000;
const MOST_DEFERRED = 200;

/** @returns what `read` answers, or `otherwise` with the reason */
function reading<T>(read: () => T, otherwise: T): T & { problem: string | null } {
  try {
    return { ...read(), problem: null };
  } catch (error) {
    if (error instanceof UserError) return { ...otherwise, problem: error.message };
    throw error;
  }
}

/**
 * @param deps.changes announces changes of the journal and of TELOS.md
 * @param deps.judgeProblem why the judge cannot be asked, or null
 */
export function createProposalsService(deps: {
  vaglio: Vaglio;
  journal: ProposalJournal;
  panel: PanelStore;
  telosFile: string;
  theta: number;
  bother: BotherBudget;
  llm: LlmConfig | null;
  judgeProblem: string | null;
  clock: Clock;
  dayOf: (ms: number) => string;
  changes: Changes;
}): ProposalsService {
  const { vaglio, journal, panel, telosFile, theta, bother, llm, judgeProblem, clock, dayOf, changes } = deps;
  let version = 0;
  return {
    evaluate: ({ action, flow, urgency }) => vaglio.evaluate(action, flow, urgency),
    list: ({ limit, ...asked }) =>
      reading(
        () => {
          const rows = panel.read((db) => listEvaluations(db, { ...asked, limit: limit + 1 }));
          return { rows: rows.slice(0, limit), more: rows.length > limit };
        },
        { rows: [], more: false },
      ),
    digest: ({ day = dayOf(clock()) }) =>
      reading(() => ({ day, rows: panel.read((db) => deferredOn(db, day, MOST_DEFERRED)) }), { day, rows: [] }),
    answer: (given) => journal.answer(given),
    unwanted: () => reading(() => ({ entries: panel.read(listUnwanted) }), { entries: [] }),
    allowAgain: ({ fingerprint }) => {
      const changed = panel.write((db) => dropUnwanted(db, fingerprint));
      if (changed) changes.announce();
      return { changed };
    },
    standing: () => {
      const { published_today, problem } = reading(() => ({ published_today: journal.publishedToday() }), {
        published_today: 0,
      });
      return {
        theta,
        bother: { base: bother.base, daily_quota: bother.dailyQuota },
        published_today,
        bother_cost: botherCost(bother, published_today),
        judge: llm,
        judge_problem: judgeProblem,
        audit_signature: vaglio.auditSignature(),
        problem,
      };
    },
    calibration: ({ theta: supposed }) => {
      const points = reading(() => ({ points: panel.read((db) => judgedPoints(db, MOST_POINTS)) }), { points: [] });
      return { ...calibrate(points.points, { inForce: theta, supposed }), problem: points.problem };
    },
    telos: () => lookAtTelos(telosFile),
    checkTelos: ({ text }) => readTelos(text),
    saveTelos: (given) => {
      const saved = saveTelos(telosFile, given.text, given.version);
      changes.announce();
      return saved;
    },
    async *changed(_input, signal) {
      const ended = new AbortController();
      const stream = changes.ticks(AbortSignal.any([signal, ended.signal]));
      try {
        // Listening comes before the first tick, so nothing is missed between the caller's list and this.
        let next = stream.next();
        do {
          yield { version };
          if ((await next).done) return;
          version += 1;
          next = stream.next();
        } while (!signal.aborted);
      } finally {
        ended.abort();
      }
    },
  };
}
