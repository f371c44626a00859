/** One note of the rule-based judge and what it does to the score (vaglio page, section 3). */
export type JudgeNote =
  | { kind: 'mentions'; token: string; effect: number }
  | { kind: 'traversal'; effect: number }
  | { kind: 'odd-key'; key: string; effect: number }
  | { kind: 'other'; text: string };

/** A verdict's reason, taken apart (vaglio page, section 1). What has none of the known forms is `other`. */
export type Reason =
  | { kind: 'guard-path'; pattern: string }
  | { kind: 'guard-shell'; pattern: string }
  | { kind: 'guard-structure'; area: string; rule: string }
  | { kind: 'guard-unreadable' }
  | { kind: 'judge-below'; score: number; threshold: number; notes: JudgeNote[] }
  | { kind: 'approved'; score: number; notes: JudgeNote[] }
  | { kind: 'safe-verb'; verb: string }
  | { kind: 'other' };

const GUARD_PATH = /^guard: forbidden path violato: pattern '(.*)' in args$/s;
const GUARD_SHELL = /^guard: comando shell quasi-irrecuperabile: '(.*)'$/s;
const GUARD_STRUCTURE = /^guard: struttura (\S+): (.+)$/s;
const GUARD_UNREADABLE = 'guard: args illeggibili: ';
const JUDGE = /^judge: score (\d+(?:\.\d+)?) < soglia (\d+(?:\.\d+)?) \((.*)\)$/s;
const APPROVED = /^approved: score (\d+(?:\.\d+)?) \((.*)\)$/s;
const SAFE_VERB = /^safe-verb: (\S+) \(read-only\/pure-compute\)$/;

const MENTIONS = /^intent menziona '(.*)'$/s;
const TRAVERSAL = "possibile path traversal ('..' in path)";
const ODD_KEY = /^chiave args anomala: '(.*)'$/s;

function parseNote(text: string): JudgeNote {
  const token = MENTIONS.exec(text)?.[1];
  if (token !== undefined) return { kind: 'mentions', token, effect: 0.1 };
  if (text === TRAVERSAL) return { kind: 'traversal', effect: -0.2 };
  const key = ODD_KEY.exec(text)?.[1];
  if (key !== undefined) return { kind: 'odd-key', key, effect: -0.1 };
  return { kind: 'other', text };
}

/** A key of args may hold `; `: a piece that begins like no note belongs to the one before it. */
function splitNotes(text: string): string[] {
  const notes: string[] = [];
  for (const piece of text.split('; ')) {
    const last = notes.at(-1);
    const open = last !== undefined && /^(?:chiave args anomala:|intent menziona) '/.test(last) && !last.endsWith("'");
    if (open) notes[notes.length - 1] = `${last}; ${piece}`;
    else notes.push(piece);
  }
  return notes;
}

function parseNotes(text: string): JudgeNote[] {
  return text === 'score base' || text === '' ? [] : splitNotes(text).map(parseNote);
}

/** Takes a reason apart. Never throws; whoever wrote the line may have written anything. */
export function parseReason(reason: string): Reason {
  const path = GUARD_PATH.exec(reason)?.[1];
  if (path !== undefined) return { kind: 'guard-path', pattern: path };
  const shell = GUARD_SHELL.exec(reason)?.[1];
  if (shell !== undefined) return { kind: 'guard-shell', pattern: shell };
  const structure = GUARD_STRUCTURE.exec(reason);
  if (structure?.[1] && structure[2]) return { kind: 'guard-structure', area: structure[1], rule: structure[2] };
  if (reason.startsWith(GUARD_UNREADABLE)) return { kind: 'guard-unreadable' };
  const judge = JUDGE.exec(reason);
  if (judge) {
    return {
      kind: 'judge-below',
      score: Number(judge[1]),
      threshold: Number(judge[2]),
      notes: parseNotes(judge[3] ?? ''),
    };
  }
  const approved = APPROVED.exec(reason);
  if (approved) return { kind: 'approved', score: Number(approved[1]), notes: parseNotes(approved[2] ?? '') };
  const verb = SAFE_VERB.exec(reason)?.[1];
  return verb === undefined ? { kind: 'other' } : { kind: 'safe-verb', verb };
}
