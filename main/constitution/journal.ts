import type { ProposalRow } from '../../shared/domain/constitution.ts';
import {
  addEvaluation,
  addUnwanted,
  answerEvaluation,
  findEvaluation,
  isUnwanted,
  publishedOn,
} from '../db/evaluations.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { ProposalsService } from '../engine/services.ts';
import { type EvaluationRecord, fingerprintOf, type Journal } from './evaluate.ts';

/** The journal in panel.db. */
export interface ProposalJournal extends Journal {
  /** @throws UserError naming the file */
  isUnwanted(sameness: string): boolean;
  /** @throws UserError `not-found`, `refused` for what was no proposal */
  answer(...given: Parameters<ProposalsService['answer']>): ProposalRow;
  publishedToday(): number;
}

/**
 * @param deps.dayOf `YYYY-MM-DD` of the local day
 * @param deps.changed told after something was kept
 */
export function createJournal(deps: {
  panel: PanelStore;
  clock: Clock;
  dayOf: (ms: number) => string;
  changed: () => void;
}): ProposalJournal {
  const { panel, clock, dayOf, changed } = deps;

  const keep = (make: (publishedToday: number) => EvaluationRecord): EvaluationRecord => {
    const at = clock();
    const day = dayOf(at);
    const kept = panel.write((db) => {
      const record = make(publishedOn(db, day));
      addEvaluation(db, { ...record, at, day });
      return record;
    });
    changed();
    return kept;
  };

  return {
    keep,
    isUnwanted: (sameness) => panel.read((db) => isUnwanted(db, fingerprintOf(sameness))),
    publishedToday: () => panel.read((db) => publishedOn(db, dayOf(clock()))),
    answer: ({ id, answer }) => {
      const at = clock();
      const row = panel.write((db) => {
        const found = findEvaluation(db, id);
        if (found === null) throw new UserError('not-found', `There is no proposal ${id}.`, String(id));
        if (found.flow !== 'proactive' || found.result.final_decision === 'block') {
          throw new UserError(
            'refused',
            `${id} is no proposal that was weighed: there is nothing to answer.`,
            String(id),
          );
        }
        answerEvaluation(db, id, answer, at);
        if (answer === 'never') {
          const { fingerprint, action, targets } = found;
          addUnwanted(db, { fingerprint, kind: action.kind, targets, since: at });
        }
        return { ...found, answer, answered_at: at };
      });
      changed();
      return row;
    },
  };
}
