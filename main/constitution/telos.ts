/** TELOS.md as a text (constitution page, section 4). Pure: reads, never writes. */
import type { Telos, TelosProblem } from '../../shared/domain/constitution.ts';

export const TELOI = { least: 3, most: 7 } as const;

export interface ReadTelos {
  /** Empty when there are problems. */
  teloi: Telos[];
  problems: TelosProblem[];
}

type Field = 'weight' | 'threshold' | 'notes';
const FIELDS: Readonly<Record<string, Field>> = {
  peso: 'weight',
  weight: 'weight',
  soglia_attivazione: 'threshold',
  activation_threshold: 'threshold',
  note: 'notes',
  notes: 'notes',
};

/** `## t.slug — phrase`; a hyphen or colon does for the dash. */
const SECTION = /^##(?!#)\s*(.*?)\s*#*$/;
const HEADING = /^(t\.[a-z0-9][a-z0-9_-]*)\s*(?:[\u2014\u2013:-]+\s*(.*))?$/i;
const FIELD = /^\s*(?:[-*+]\s+)?[*_`]{0,2}([a-z_]+)[*_`]{0,2}\s*[:=]\s*[*_`]{0,2}\s*(.*?)\s*$/i;
/** Italian writes a comma. */
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/;

interface Section {
  line: number;
  id: string;
  phrase: string;
  fields: Partial<Record<Field, { text: string; line: number }>>;
}

function numberOf(text: string): number {
  const plain = text.replace(/[*_`]/g, '').trim();
  return NUMBER.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN;
}

function sectionsOf(text: string, problems: TelosProblem[]): Section[] {
  const sections: Section[] = [];
  let section: Section | null = null;
  let inNotes = false;
  let isFenced = false;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = index + 1;
    if (/^\s*(```|~~~)/.test(raw)) isFenced = !isFenced;
    const heading = isFenced ? null : SECTION.exec(raw);
    if (heading !== null || (!isFenced && /^#\s/.test(raw))) {
      section = heading === null ? null : openSection(heading[1] ?? '', line, problems);
      inNotes = false;
      if (section !== null) sections.push(section);
      continue;
    }
    if (section === null) continue;
    const field: RegExpExecArray | null = isFenced ? null : FIELD.exec(raw);
    const name = FIELDS[field?.[1]?.toLowerCase() ?? ''];
    if (field !== null && name !== undefined) {
      if (section.fields[name] === undefined) section.fields[name] = { text: field[2] ?? '', line };
      else problems.push({ line, code: 'field-twice', what: field[1] ?? '' });
      inNotes = name === 'notes';
    } else if (inNotes && section.fields.notes !== undefined) {
      section.fields.notes.text = `${section.fields.notes.text}\n${raw.trim()}`.trim();
    }
  }
  return sections;
}

/** Headings that are not of a telos are prose, unless they look like one that went wrong. */
function openSection(title: string, line: number, problems: TelosProblem[]): Section | null {
  const match = HEADING.exec(title);
  if (match === null) {
    if (/^t\./i.test(title)) problems.push({ line, code: 'bad-heading', what: title.slice(0, 200) });
    return null;
  }
  return { line, id: (match[1] ?? '').toLowerCase(), phrase: match[2]?.trim() ?? '', fields: {} };
}

function checked(section: Section, problems: TelosProblem[]): Omit<Telos, 'normalised'> {
  const { id, phrase, line, fields } = section;
  if (phrase === '') problems.push({ line, code: 'no-phrase', what: id });
  const weight = fields.weight === undefined ? Number.NaN : numberOf(fields.weight.text);
  if (fields.weight === undefined) problems.push({ line, code: 'no-weight', what: id });
  else if (!(weight > 0 && weight <= 1_000_000)) {
    problems.push({ line: fields.weight.line, code: 'bad-weight', what: fields.weight.text.slice(0, 100) });
  }
  const threshold = fields.threshold === undefined ? Number.NaN : numberOf(fields.threshold.text);
  if (fields.threshold === undefined) problems.push({ line, code: 'no-threshold', what: id });
  else if (!(threshold >= 0 && threshold <= 1)) {
    problems.push({ line: fields.threshold.line, code: 'bad-threshold', what: fields.threshold.text.slice(0, 100) });
  }
  return { id, phrase, weight, threshold, notes: fields.notes?.text ?? '', line };
}

/** Reads the sections; a file with any problem has no teloi, so that none is weighed by half. */
export function readTelos(text: string): ReadTelos {
  const problems: TelosProblem[] = [];
  const sections = sectionsOf(text, problems);
  const seen = new Set<string>();
  for (const { id, line } of sections) {
    if (seen.has(id)) problems.push({ line, code: 'twice', what: id });
    seen.add(id);
  }
  const teloi = sections.map((section) => checked(section, problems));
  const count = String(sections.length);
  if (sections.length === 0) problems.push({ line: 1, code: 'no-sections', what: '' });
  else if (sections.length < TELOI.least) problems.push({ line: 1, code: 'too-few', what: count });
  else if (sections.length > TELOI.most) problems.push({ line: 1, code: 'too-many', what: count });
  problems.sort((a, b) => a.line - b.line);
  if (problems.length > 0) return { teloi: [], problems };
  const total = teloi.reduce((sum, { weight }) => sum + weight, 0);
  return { teloi: teloi.map((telos) => ({ ...telos, normalised: telos.weight / total })), problems };
}

const WORDS: Readonly<Record<TelosProblem['code'], (what: string) => string>> = {
  'no-sections': () => `there is no section "## t.name — phrase"; it needs ${TELOI.least} to ${TELOI.most}`,
  'too-few': (what) => `there are ${what} teloi; it needs ${TELOI.least} to ${TELOI.most}`,
  'too-many': (what) => `there are ${what} teloi; it needs ${TELOI.least} to ${TELOI.most}`,
  'bad-heading': (what) => `the heading "${what}" is not "t.name — phrase"`,
  twice: (what) => `${what} is there twice`,
  'no-phrase': (what) => `${what} has no phrase behind its dash`,
  'no-weight': (what) => `${what} has no weight (peso)`,
  'bad-weight': (what) => `the weight "${what}" is no number above 0`,
  'no-threshold': (what) => `${what} has no activation_threshold (soglia_attivazione)`,
  'bad-threshold': (what) => `the threshold "${what}" is no number from 0 to 1`,
  'field-twice': (what) => `${what} is there twice`,
  'too-large': (what) => `it is larger than ${what} bytes`,
  'not-text': () => 'it is no UTF-8 text',
};

/** One sentence about a problem, for records and the command line; the panel has its own words. */
export function telosProblemText({ line, code, what }: TelosProblem): string {
  return `line ${line}: ${WORDS[code](what)}`;
}
