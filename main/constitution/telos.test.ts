import { describe, expect, test } from 'vitest';
import { readTelos, telosProblemText } from './telos.ts';
import { TELOS } from './world.stand-in.ts';

const section = (id: string, more = '- peso: 1\n- soglia_attivazione: 0.3\n') => `## ${id} — phrase\n${more}`;
const three = ['t.a', 't.b', 't.c'].map((id) => section(id)).join('\n');

test('weights normalised, both languages of the field names, notes over several lines', () => {
  const text = TELOS.replace('- note: dormire, camminare', '- note: dormire,\n  camminare: ogni giorno\n');
  const { teloi, problems } = readTelos(text);
  expect(problems).toEqual([]);
  expect(teloi).toMatchObject([
    {
      id: 't.salute',
      phrase: 'Restare in salute',
      weight: 5,
      threshold: 0.4,
      notes: 'dormire,\ncamminare: ogni giorno',
    },
    { id: 't.famiglia', weight: 3, threshold: 0.5, notes: '', line: 10 },
    { id: 't.lavoro', phrase: 'Do good work', weight: 2, threshold: 0.6, notes: 'no mail at night' },
  ]);
  expect(teloi.map(({ normalised }) => normalised)).toEqual([0.5, 0.3, 0.2]);
  const thirds = readTelos(three).teloi;
  expect(thirds.reduce((sum, { normalised }) => sum + normalised, 0)).toBeCloseTo(1, 12);
});

test.each([
  ['a comma', 'peso: 0,5\nsoglia_attivazione: 0,25'],
  ['emphasis', '- **Weight**: 0.5\n- **activation_threshold:** 0.25'],
  ['stars and equals', '* weight = 0.5\n* Activation_Threshold = .25'],
  ['Windows', 'weight: 0.5\r\nactivation_threshold: 0.25\r\n'],
])('fields with %s', (_, fields) => {
  const { teloi, problems } = readTelos(`\ufeff${section('t.x', fields)}\n${three}`);
  expect(problems).toEqual([]);
  expect(teloi[0]).toMatchObject({ weight: 0.5, threshold: 0.25 });
});

test('prose, other headings and code are no teloi', () => {
  const text = `# t.h1 — no\n## Why\npeso: 9\n### t.deep — no\n\`\`\`\n## t.code — no\n\`\`\`\n${three}`;
  expect(readTelos(text).teloi.map(({ id }) => id)).toEqual(['t.a', 't.b', 't.c']);
});

describe('a file with a problem has no teloi, and says the line', () => {
  const bad = (more: string) => `${section('t.x', more)}\n${three}`;
  test.each([
    ['', 'no-sections', 1, ''],
    ['# only words', 'no-sections', 1, ''],
    [section('t.a') + section('t.b'), 'too-few', 1, '2'],
    [Array.from({ length: 8 }, (_, at) => section(`t.n${at}`)).join(''), 'too-many', 1, '8'],
    [`${three}\n## t.à la carte`, 'bad-heading', 13, 't.à la carte'],
    [`## t.bare\npeso: 1\nsoglia_attivazione: 0\n${three}`, 'no-phrase', 1, 't.bare'],
    [`${three}\n${section('t.A')}`, 'twice', 13, 't.a'],
    [bad('soglia_attivazione: 0.3\n'), 'no-weight', 1, 't.x'],
    [bad('peso: 0\nsoglia_attivazione: 0.3\n'), 'bad-weight', 2, '0'],
    [bad('peso: -1\nsoglia_attivazione: 0.3\n'), 'bad-weight', 2, '-1'],
    [bad('peso: molto\nsoglia_attivazione: 0.3\n'), 'bad-weight', 2, 'molto'],
    [bad('peso: 1e400\nsoglia_attivazione: 0.3\n'), 'bad-weight', 2, '1e400'],
    [bad('peso: 1\n'), 'no-threshold', 1, 't.x'],
    [bad('peso: 1\nsoglia_attivazione: 1.01\n'), 'bad-threshold', 3, '1.01'],
    [bad('peso: 1\nweight: 2\nsoglia_attivazione: 1\n'), 'field-twice', 3, 'weight'],
  ])('%j', (text, code, line, what) => {
    const { teloi, problems } = readTelos(text);
    expect(teloi).toEqual([]);
    expect(problems).toContainEqual({ line, code, what });
    expect(telosProblemText(problems[0] ?? expect.unreachable())).toMatch(/^line \d+: \S/);
  });
});
