import type { Rule } from '../types.ts';

/** Code that arrives from elsewhere: raised where a shell or an interpreter is given a text to run. */
export const codeNetwork: Rule = {
  id: 'code.from-network',
  answer: 'mark',
  protects: 'the machine from code nobody has read',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
  says: {
    en: 'Runs code straight from the network: what it does is only known when it has run.',
    it: 'Esegue codice preso direttamente dalla rete: che cosa fa si sa solo dopo.',
  },
};

export const codeDecoded: Rule = {
  id: 'code.decoded',
  answer: 'mark',
  protects: 'the machine from code nobody can read',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
  says: {
    en: 'Decodes or unpacks something and runs it: the code cannot be read beforehand.',
    it: 'Decodifica o scompatta qualcosa e lo esegue: il codice non si può leggere prima.',
  },
};

export const codeInput: Rule = {
  id: 'code.piped',
  answer: 'mark',
  protects: 'the machine from commands out of sight',
  harm: 'foreign-code',
  needs: ['input', 'origin'],
  says: {
    en: 'Feeds the output of another command to a shell: the commands that run do not stand here.',
    it: "Passa a una shell l'uscita di un altro comando: i comandi eseguiti non si vedono qui.",
  },
};

export const codeUnknown: Rule = {
  id: 'code.unknown-program',
  answer: 'mark',
  protects: 'the machine from a program that is only known when it runs',
  harm: 'unresolved',
  needs: ['verb'],
  says: {
    en: 'Which program runs here is decided only at run time.',
    it: 'Quale programma viene eseguito qui si decide solo al momento.',
  },
};

export const commandText: Rule = {
  id: 'code.hidden-command',
  answer: 'mark',
  protects: 'everything, from a dangerous command inside another program’s words',
  harm: 'unresolved',
  needs: ['code'],
  says: {
    en: 'A text handed to this program reads like a destructive command; whether it runs cannot be told.',
    it: 'Un testo passato a questo programma sembra un comando distruttivo; non si può dire se verrà eseguito.',
  },
};

export const unparsed: Rule = {
  id: 'shell.unreadable',
  answer: 'mark',
  protects: 'everything, from a command that cannot be read',
  harm: 'unresolved',
  needs: ['size'],
  says: {
    en: 'The command is not well-formed and names something dangerous: what a shell makes of it is uncertain.',
    it: 'Il comando non è ben formato e nomina qualcosa di pericoloso: non è certo come lo leggerà una shell.',
  },
};

export const tooMuch: Rule = {
  id: 'shell.too-much',
  answer: 'mark',
  protects: 'everything, from what hides in sheer size',
  harm: 'unresolved',
  needs: ['size'],
  says: {
    en: 'The command is too long or too deeply nested to be followed to its end.',
    it: 'Il comando è troppo lungo o troppo annidato per essere seguito fino in fondo.',
  },
};

export const failed: Rule = {
  id: 'shell.not-judged',
  answer: 'mark',
  protects: 'everything, from a fault of the judgement itself',
  harm: 'unresolved',
  needs: ['size'],
  says: {
    en: 'The structure of this call could not be judged because of a fault of the program.',
    it: 'La struttura di questa chiamata non è stata valutata per un errore del programma.',
  },
};

export const forkBomb: Rule = {
  id: 'system.fork-bomb',
  answer: 'block',
  protects: 'the running system',
  harm: 'system-loss',
  needs: ['code'],
  says: {
    en: 'A function that starts itself twice at once fills the machine until it stops.',
    it: 'Una funzione che avvia due volte sé stessa riempie la macchina fino a bloccarla.',
  },
};

export const remoteShell: Rule = {
  id: 'code.remote-shell',
  answer: 'mark',
  protects: 'the machine from being driven from elsewhere',
  harm: 'foreign-code',
  needs: ['redirects', 'flags'],
  says: {
    en: 'Ties a shell or a file to a network connection: somebody else may then type the commands.',
    it: 'Collega una shell o un file a una connessione di rete: i comandi può poi scriverli qualcun altro.',
  },
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
