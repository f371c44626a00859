import { listDecisions } from '../db/decisions.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { UserError } from '../engine/errors.ts';
import type { LineService } from '../engine/services.ts';
import type { Keeper } from './keeper.ts';
import type { Line } from './port.ts';

/** Lines that one question looks at. */
const MOST_LINES = 2000;
/** Between two of these the engine sees to everything else. */
const AT_ONCE = 50;

type Many = Awaited<ReturnType<LineService['tryMany']>>;
type ManyRow = Many['rows'][number];

/** The operator's view of the line: trying it out, the kept answers, what is not answered yet. */
export function createLineService({
  line,
  keeper,
  panel,
}: {
  line: Pick<Line, 'tryOut' | 'inFlight'>;
  keeper: Pick<Keeper, 'flush' | 'problem'>;
  panel: PanelStore;
}): LineService {
  const tryLine = async (number: number, text: string, supposed: Parameters<Line['tryOut']>[1]): Promise<ManyRow> => {
    const empty = { line: number, executor: null, decision: null, supposed: null, stage: null, rule: null, reason: '' };
    let request: unknown;
    try {
      request = JSON.parse(text);
    } catch {
      return { ...empty, problem: 'This line is no JSON.' };
    }
    const [now, then] = [await line.tryOut(request), await line.tryOut(request, supposed)];
    if (now.rule === 'validation:request') return { ...empty, problem: now.reason };
    const { executor } = request as { executor: string };
    const { decision, stage, rule, reason } = then;
    return { line: number, executor, decision: now.decision, supposed: decision, stage, rule, reason, problem: null };
  };

  return {
    try: ({ request, supposed }) => line.tryOut(request, supposed),
    tryMany: async ({ text, supposed }) => {
      const lines = text.split('\n').map((one, index) => ({ number: index + 1, text: one.trim() }));
      const filled = lines.filter((one) => one.text !== '');
      const rows: ManyRow[] = [];
      for (const [index, one] of filled.slice(0, MOST_LINES).entries()) {
        if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
        rows.push(await tryLine(one.number, one.text, supposed));
      }
      return {
        rows,
        total: rows.length,
        changed: rows.filter((row) => row.decision !== row.supposed).length,
        left_out: filled.length - rows.length,
      };
    },
    decisions: (filter) => {
      keeper.flush();
      try {
        const rows = panel.read((db) => listDecisions(db, filter));
        return { rows: rows.slice(0, filter.limit), more: rows.length > filter.limit, problem: keeper.problem() };
      } catch (error) {
        if (error instanceof UserError) return { rows: [], more: false, problem: error.message };
        throw error;
      }
    },
    inFlight: () => ({ requests: line.inFlight() }),
  };
}
