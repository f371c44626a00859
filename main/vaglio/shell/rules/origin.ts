import type { Rule } from '../types.ts';

/** Code that arrives from elsewhere: raised where a shell or an interpreter is given a text to run. */
export const codeNetwork: Rule = {
  id: 'code.from-network',
  answer: 'mark',
  protects: 'the machine from code nobody has read',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
};

export const codeDecoded: Rule = {
  id: 'code.decoded',
  answer: 'mark',
  protects: 'the machine from code nobody can read',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
};

export const codeInput: Rule = {
  id: 'code.piped',
  answer: 'mark',
  protects: 'the machine from commands out of sight',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
};

export const codeUnknown: Rule = {
  id: 'code.unknown-program',
  answer: 'mark',
  protects: 'the machine from a program that is only known when it runs',
  harm: 'unresolved',
  needs: ['verb'],
};

export const commandText: Rule = {
  id: 'code.hidden-command',
  answer: 'mark',
  protects: 'everything, from a dangerous command inside another program’s words',
  harm: 'unresolved',
  needs: ['code'],
};

export const unparsed: Rule = {
  id: 'shell.unreadable',
  answer: 'mark',
  protects: 'everything, from a command that cannot be read',
  harm: 'unresolved',
  needs: ['size'],
};

export const tooMuch: Rule = {
  id: 'shell.too-much',
  answer: 'mark',
  protects: 'everything, from what hides in sheer size',
  harm: 'unresolved',
  needs: ['size'],
};

export const failed: Rule = {
  id: 'shell.not-judged',
  answer: 'mark',
  protects: 'everything, from a fault of the judgement itself',
  harm: 'unresolved',
  needs: ['size'],
};

export const forkBomb: Rule = {
  id: 'system.fork-bomb',
  answer: 'block',
  protects: 'the running system',
  harm: 'system-loss',
  needs: ['code'],
};

export const remoteShell: Rule = {
  id: 'code.remote-shell',
  answer: 'mark',
  protects: 'the machine from being driven from elsewhere',
  harm: 'foreign-code',
  needs: ['redirects', 'flags'],
  tools: '*',
  when: (c) => {
    const socket = c.redirects.find((r) => /^\/dev\/(?:tcp|udp)\//.test(r.target.v));
    if (socket !== undefined) return socket.target;
    if (/^(?:nc|ncat|netcat|nc\.traditional)$/.test(c.name))
      return c.args.find((arg) => /^-[a-z]*[ec]$|^--(?:exec|sh-exec)/.test(arg.v)) ?? false;
    return c.name === 'socat' ? (c.args.find((arg) => /^(?:exec|system):/i.test(arg.v)) ?? false) : false;
  },
};

export const originRules: readonly Rule[] = [
  codeNetwork,
  codeDecoded,
  codeInput,
  codeUnknown,
  commandText,
  unparsed,
  tooMuch,
  failed,
  forkBomb,
  remoteShell,
];
