import type { Ask } from '../engine/ask.ts';

/** A step that a person is asked about, with whatever a test wants changed. */
export const sampleAsk = (more: Partial<Ask> = {}): Ask => {
  const capability = more.capability ?? 'fs:write';
  const target = more.object ?? '~/docs/a.txt';
  return {
    channel: 'telegram',
    sender_id: 'anna',
    executor: 'write_files',
    intent: 'file it',
    args: { path: '~/docs/a.txt', content: 'x' },
    context: {},
    turn_id: null,
    step: null,
    capability,
    needs: [{ capability, target }],
    verb: 'write',
    object: target,
    from: null,
    to: null,
    marks: [],
    ...more,
  };
};
