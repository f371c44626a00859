import type { Rule } from '../types.ts';

/** Rules about values that are no commands; raised by `arguments.ts`. */
export const pathSecret: Rule = {
  id: 'path.secret',
  answer: 'block',
  protects: 'keys, passwords and the other listed places, under any spelling',
  harm: 'secret-access',
  needs: ['value'],
};

export const pathDevice: Rule = {
  id: 'path.device',
  answer: 'block',
  protects: 'whole disks',
  harm: 'disk-loss',
  needs: ['value'],
};

export const pathControl: Rule = {
  id: 'path.control',
  answer: 'block',
  protects: 'the panel’s records and the agents’ hook settings',
  harm: 'control',
  needs: ['value', 'verb'],
};

export const pathRules: readonly Rule[] = [pathSecret, pathDevice, pathControl];
