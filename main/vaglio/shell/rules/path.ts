import type { Rule } from '../types.ts';

/** Rules about values that are no commands; raised by `arguments.ts`. */
export const pathSecret: Rule = {
  id: 'path.secret',
  answer: 'block',
  protects: 'keys, passwords and the other listed places, under any spelling',
  harm: 'secret-access',
  needs: ['value'],
  says: {
    en: 'Names one of the places that are always closed, in another spelling.',
    it: 'Indica, scritto in altro modo, uno dei luoghi sempre chiusi.',
  },
};

export const pathDevice: Rule = {
  id: 'path.device',
  answer: 'block',
  protects: 'whole disks',
  harm: 'disk-loss',
  needs: ['value'],
  says: {
    en: 'Names a disk as if it were a file.',
    it: 'Indica un disco come se fosse un file.',
  },
};

export const pathControl: Rule = {
  id: 'path.control',
  answer: 'block',
  protects: 'the panel’s records and the agents’ hook settings',
  harm: 'control',
  needs: ['value', 'verb'],
  says: {
    en: 'Changes a file by which people control and trace the agent.',
    it: 'Modifica un file con cui le persone controllano e tracciano l’agente.',
  },
};

export const pathRules: readonly Rule[] = [pathSecret, pathDevice, pathControl];
