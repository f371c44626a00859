import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../engine/errors.ts';
import { overrideOutcome, parseOverrides } from './overrides.ts';

const FILE = '/home/user/.config/metnos/policy_overrides.toml';
const GOOD = `# who may do less
[[profile]]
name = "the family"
channel = "telegram"
sender_id = "anna"
[profile.any]
"network:http" = "denied"
[profile.Full]
"fs:write" = "approval_required"
"network:http" = "approval_required"

[[profile]]
[profile.Supervised]
"mail:read" = "denied"
`;
const ANNA = { channel: 'telegram', sender_id: 'anna' };

function fault(text: string): string {
  try {
    parseOverrides(text, FILE);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error).toMatchObject({ code: 'bad-input', subject: FILE });
    return error.message.replace(`${FILE}, `, '');
  }
  return 'no fault';
}

describe('what a file says', () => {
  const overrides = parseOverrides(GOOD, FILE);
  test.each([
    ['Full', 'fs:write', ANNA, 'approval_required'],
    ['Supervised', 'fs:write', ANNA, null],
    // Both the level's and the one for any level: the stricter counts.
    ['Full', 'network:http', ANNA, 'denied'],
    ['ReadOnly', 'network:http', ANNA, 'denied'],
    ['Full', 'network:http', { channel: 'telegram', sender_id: 'roberto' }, null],
    ['Full', 'network:http', { channel: 'web', sender_id: 'anna' }, null],
    ['Supervised', 'mail:read', { channel: 'web', sender_id: 'roberto' }, 'denied'],
    ['Full', 'mail:read', ANNA, null],
    ['any', 'mail:read', ANNA, null],
    // Nobody says who it is, so it may be anna.
    ['Full', 'fs:write', {}, 'approval_required'],
    ['Full', 'fs:write', { channel: 'telegram', sender_id: '' }, 'approval_required'],
    ['Full', 'fs:write', { channel: 'web', sender_id: null }, null],
  ] as const)('%s %s %j: %s', (level, capability, who, expected) => {
    expect(overrideOutcome(overrides, { level, capability, ...who })).toBe(expected);
  });

  test('an empty file, and a profile of nothing, change nothing', () => {
    for (const text of ['', '# none\n', '[[profile]]\n', 'profile = []']) {
      expect(overrideOutcome(parseOverrides(text, FILE), { level: 'Full', capability: 'fs:write' })).toBeNull();
    }
  });
});

describe('a broken file stops with the line', () => {
  test.each([
    ['a = [1,\n2', 2],
    ['\n\n[[profile]\n', 3],
    ['[[profile]]\nname = "x"\nname = "y"', 3],
    ['# none\nlevel = "Full"', 2],
    ['\nprofile = 3', 2],
    ['profile = [1]', 1],
    ['[[profile]]\n\nsender = "anna"', 3],
    ['[[profile]]\nsender_id = ""', 2],
    ['[[profile]]\nsender_id = 7', 2],
    ['[[profile]]\nany = "denied"', 2],
    ['[[profile]]\nany = 2026-11-30', 2],
    ['[[profile]]\n[profile.any]\n"fs:read" = "denied"\n"fs:delete" = "denied"', 4],
    ['[[profile]]\n[profile.any]\n"FS:READ" = "denied"', 3],
    ['[[profile]]\n[profile.any]\n"__proto__" = "denied"', 3],
    ['[[profile]]\n[profile.any]\nconstructor = "denied"', 3],
    ['[[profile]]\n[profile.any]\n"fs:read" = "Denied"', 3],
    ['[[profile]]\n[profile.any]\n"fs:read" = """\ndenied\n"""', 5],
    ['[[profile]]\n[profile.any]\n"fs:read" = true', 3],
    ['[[profile]]\n[profile.any]\n"fs:read" = "denied"\n\n[[profile]]\n[profile.any]\n"fs:read" = "nope"', 7],
    ['[[profile]]\n[profile.Wizard]\n"fs:read" = "denied"', 2],
  ])('%j: line %i', (text, line) => {
    expect(fault(text)).toMatch(new RegExp(`^line ${line}: `));
  });

  test('one longer than anybody writes is refused', () => {
    expect(fault('#'.repeat(1_000_001))).toContain('longer');
  });
});

describe('an override may only make an outcome stricter [security]', () => {
  test.each([
    ['any', 'fs:write', 'allowed', 3],
    ['Full', 'fs:write', 'allowed', 3],
    ['ReadOnly', 'fs:write', 'approval_required', 3],
    ['ReadOnly', 'code:exec', 'approval_required', 3],
  ])('[profile.%s] %s = %s', (where, capability, outcome, line) => {
    const says = fault(`[[profile]]\n[profile.${where}]\n"${capability}" = "${outcome}"`);
    expect(says).toContain(`line ${line}: `);
    expect(says).toContain('only make an outcome stricter');
  });

  test('as strict as the table is fine', () => {
    expect(fault('[[profile]]\n[profile.ReadOnly]\n"fs:write" = "denied"\n"fs:read" = "approval_required"')).toBe(
      'no fault',
    );
  });
});

test('no text brings it down, or gives anything but a refusal', () => {
  const piece = fc.constantFrom(
    '[[profile]]\n',
    '[profile.any]\n',
    '"fs:read"',
    '=',
    '"denied"',
    '\n',
    '"',
    '[',
    '{',
    '.',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => {
        expect(typeof fault(text)).toBe('string');
      },
    ),
    { numRuns: 2000 },
  );
});
