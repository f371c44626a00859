import type { Flow, VaglioResult } from '../../shared/domain/constitution.ts';
import type { DecideAnswer, DecideRequest } from '../../shared/domain/decision.ts';
import { UserError } from '../engine/errors.ts';
import type { AgentLine } from './agent-methods.ts';

/** An action that passes, or is put off. */
function evaluated(flow: Flow, urgency: number): VaglioResult {
  const isReactive = flow === 'reactive';
  return {
    action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11',
    final_decision: isReactive ? 'allow' : 'defer',
    guard: { passes: true, contradicted_article: null, reason: '' },
    judge: null,
    llm_config_used: { provider: 'none', model: 'none', tier: 'none' },
    at: '2026-11-30T12:00:00.000Z',
    reason: 'as the test wants it',
    terms: null,
    urgency: { given: urgency, used: urgency },
    audit_signature: 'a',
  };
}

export function answerOf(change: Partial<DecideAnswer>): DecideAnswer {
  return {
    decision: 'allowed',
    stage: 'vaglio',
    rule: 'stand-in',
    reason: 'as the test wants it',
    error: null,
    decided_by: 'table',
    trail: [],
    verdict: null,
    level: 'Supervised',
    needs_level: null,
    capability: null,
    targets: [],
    refusal: null,
    ...change,
  };
}

/** A line that does as the request's executor says: `allow`, `deny`, `wait` for {@link resolve}, `fail`. */
export function standInLine() {
  const waiting = new Map<string, (answer: DecideAnswer) => void>();
  const seen: DecideRequest[] = [];
  let withdrawn = 0;
  let tried: DecideAnswer['decision'] = 'allowed';
  const hold = (key: string, signal: AbortSignal | undefined): Promise<DecideAnswer> =>
    new Promise((done) => {
      waiting.set(key, done);
      signal?.addEventListener('abort', () => {
        withdrawn++;
        waiting.delete(key);
        done(answerOf({ decision: 'withdrawn', stage: 'approval', decided_by: 'caller' }));
      });
    });
  const line: AgentLine = {
    decide: async (request, options) => {
      const asked = request as DecideRequest;
      seen.push(asked);
      switch (asked.executor) {
        case 'allow':
          return answerOf({});
        case 'deny':
          return answerOf({ decision: 'denied', decided_by: 'rule' });
        case 'wait': {
          const token = `t${seen.length}`;
          options?.onPending?.({ token, expires_at: '2026-11-30T12:10:00Z' });
          return hold(token, options?.signal);
        }
        default:
          throw new Error('secret inside');
      }
    },
    await: async (token, options) => hold(token, options?.signal),
    cancel: (id) => waiting.has(id),
    tryOut: async () => answerOf({ decision: tried }),
    evaluate: async ({ action, flow, urgency = 1 }) => {
      if (action.kind === 'wrong') throw new UserError('bad-input', "The action's kind cannot be used.", 'kind');
      return evaluated(flow, urgency);
    },
  };
  return {
    line,
    seen,
    waiting: () => waiting.size,
    withdrawn: () => withdrawn,
    /** What a try answers from now on; at first `allowed`. */
    nowWouldBe: (decision: DecideAnswer['decision']) => {
      tried = decision;
    },
    resolve: (token: string, decision: DecideAnswer['decision']) => waiting.get(token)?.(answerOf({ decision })),
  };
}

export function requestOf(executor: string, more: Partial<DecideRequest> = {}): DecideRequest {
  return { channel: 'test', sender_id: 'anna', intent: 'try it', executor, args: {}, ...more };
}
