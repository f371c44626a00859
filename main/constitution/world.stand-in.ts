import type { EvaluationRecord, TelosInForce, Vaglio, VaglioDeps } from './evaluate.ts';
import { createVaglio } from './evaluate.ts';
import type { LawFacts } from './laws/article.ts';
import { CONSTITUTION } from './laws/constitution.ts';
import { createPlaces } from './laws/places.ts';
import { readTelos } from './telos.ts';

export const HOME = '/home/anna';
export const NOW = Date.UTC(2026, 10, 30, 12);

/** A world in which nothing was granted, approved or refused yet. */
export function factsOf(change: Partial<LawFacts> = {}): LawFacts {
  const places = {
    settings: [`${HOME}/.config/metnos/config.yaml`, `${HOME}/.claude/settings.json`],
    record: [
      ...[`${HOME}/.local/share/metnos/vaglio`, `${HOME}/.local/share/metnos/turns`],
      ...['grants', 'approvals', 'pairings', 'panel'].map((name) => `${HOME}/.local/state/metnos/${name}.db`),
    ],
  };
  return {
    home: HOME,
    passwd: (user) => ({ anna: HOME, bruno: '/srv/people/bruno' })[user] ?? null,
    realpath: (path) => path,
    places: createPlaces(places, HOME),
    declared: () => null,
    levelInForce: () => 'Supervised',
    hasGrant: () => false,
    hasApproval: () => false,
    isUnwanted: () => false,
    ...change,
  };
}

/** Three ends of the weights 5, 3 and 2: normalised 0.5, 0.3 and 0.2. */
export const TELOS = `# What I am after

## t.salute — Restare in salute
- peso: 5
- soglia_attivazione: 0.4
- note: dormire, camminare

## t.famiglia — Tempo con la famiglia
- peso: 3
- soglia_attivazione: 0.5

## t.lavoro - Do good work
- weight: 2
- activation_threshold: 0.6
- notes: no mail at night
`;

export function telosOf(text = TELOS, emas: Record<string, number> = {}): TelosInForce {
  return { text, teloi: readTelos(text).teloi, problem: null, emas };
}

/** A proposal that contradicts no law. */
export const IDEA = {
  kind: 'remind',
  reversibility: 'reversible',
  scope: 'the calendar of this week',
  impact: 'one message',
  plan: ['look at Tuesday', 'send a reminder'],
  rationale: 'the doctor asked for a check',
} as const;

/** A vaglio over a journal in memory. */
export function vaglioOf(change: Partial<VaglioDeps> = {}, publishedToday = 0) {
  const kept: EvaluationRecord[] = [];
  const logged: string[] = [];
  let asked = 0;
  const published = (): number =>
    publishedToday + kept.filter(({ result }) => result.final_decision === 'publish').length;
  const deps: VaglioDeps = {
    constitution: CONSTITUTION,
    facts: factsOf(),
    readTelos: () => telosOf(),
    ask: async () => ({ fits: [], confidence: 1 }),
    llm: { provider: 'local', model: 'm', tier: 'default' },
    theta: 0.3,
    bother: { base: 0.1, dailyQuota: 5 },
    journal: {
      keep: (make) => {
        const record = make(published());
        kept.push(record);
        return record;
      },
    },
    clock: () => NOW,
    log: (line) => logged.push(line),
    ...change,
  };
  const vaglio: Vaglio = createVaglio({
    ...deps,
    ask: (...given) => {
      asked += 1;
      return deps.ask(...given);
    },
  });
  return { vaglio, kept, logged, asked: () => asked };
}
