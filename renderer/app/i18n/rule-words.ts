import { STRUCTURAL_RULES, type StructuralRuleId } from '../../../shared/domain/structural-rules.ts';

/**
 * What each rule of the guard's core is about, in one sentence for a person. Keyed by the rule's stable id, the
 * pattern as the vaglio page writes it (section 2); a rule that is not here is shown by its id alone.
 */
const en = {
  '(^|/)\\.ssh(/|$)': 'Your SSH keys and the hosts you trust.',
  '^/etc/(passwd|shadow|sudoers)': 'The system’s accounts, passwords and administrator rights.',
  '^/etc/ssh(/|$)': 'The SSH server’s settings and its private keys.',
  '^/root(/|$)': 'The administrator’s home folder.',
  '^/boot(/|$)': 'The files the machine starts from.',
  '^/sys(/|$)': 'The kernel’s view of devices and power.',
  '^/proc(/[0-9]|$)': 'The memory and environment of running programs.',
  '^/dev/(sd|nvme|mmcblk|loop)': 'Disks as raw devices, below the file system.',
  '\\.aws/credentials': 'Your keys to Amazon Web Services.',
  '\\.config/[^/]+/credentials\\.env': 'Passwords and keys that programs keep in their settings.',
  '\\.gnupg(/|$)': 'Your GnuPG keys, for signing and decrypting.',
  '\\brm\\s+-rf?\\s+/(\\s|$)': 'The whole system: deletes everything from the root folder.',
  '\\brm\\s+-rf?\\s+~(\\s|$|/)': 'Your home folder: deletes it, or a folder in it, with all that is inside.',
  '\\bmkfs\\b': 'Disks: formatting erases all that is on one.',
  '\\bdd\\s+.*\\bof=/dev/': 'Disks: writes over a device byte by byte.',
  ':\\s*\\(\\s*\\)\\s*\\{\\s*:\\|:&\\s*\\}': 'The running system: a fork bomb that takes every process slot.',
  '\\bchmod\\s+-?R?\\s*0?77[0-9]\\s+/': 'File permissions: would open system folders to everybody.',
  'guard:unreadable': 'Arguments that cannot be read whole may hide anything, so they are refused.',
  'judge:threshold': 'The judge’s score was below the threshold.',
} as const;

export type KnownRule = keyof typeof en;

export const ruleWords: Record<'en' | 'it', Record<KnownRule, string>> = {
  en,
  it: {
    '(^|/)\\.ssh(/|$)': 'Le tue chiavi SSH e gli host di cui ti fidi.',
    '^/etc/(passwd|shadow|sudoers)': 'Gli account, le password e i diritti di amministratore del sistema.',
    '^/etc/ssh(/|$)': 'Le impostazioni del server SSH e le sue chiavi private.',
    '^/root(/|$)': 'La cartella personale dell’amministratore.',
    '^/boot(/|$)': 'I file da cui il computer si avvia.',
    '^/sys(/|$)': 'La vista del kernel su dispositivi ed energia.',
    '^/proc(/[0-9]|$)': 'La memoria e l’ambiente dei programmi in esecuzione.',
    '^/dev/(sd|nvme|mmcblk|loop)': 'I dischi come dispositivi, sotto il file system.',
    '\\.aws/credentials': 'Le tue chiavi di Amazon Web Services.',
    '\\.config/[^/]+/credentials\\.env': 'Password e chiavi che i programmi tengono nelle impostazioni.',
    '\\.gnupg(/|$)': 'Le tue chiavi GnuPG, per firmare e decifrare.',
    '\\brm\\s+-rf?\\s+/(\\s|$)': 'L’intero sistema: cancella tutto dalla cartella radice.',
    '\\brm\\s+-rf?\\s+~(\\s|$|/)':
      'La tua cartella personale: la cancella, o una cartella al suo interno, con tutto il contenuto.',
    '\\bmkfs\\b': 'I dischi: formattare cancella tutto ciò che contengono.',
    '\\bdd\\s+.*\\bof=/dev/': 'I dischi: sovrascrive un dispositivo byte per byte.',
    ':\\s*\\(\\s*\\)\\s*\\{\\s*:\\|:&\\s*\\}': 'Il sistema in funzione: una fork bomb che occupa ogni processo.',
    '\\bchmod\\s+-?R?\\s*0?77[0-9]\\s+/': 'I permessi dei file: aprirebbe a tutti le cartelle di sistema.',
    'guard:unreadable': 'Argomenti che non si leggono per intero possono nascondere qualunque cosa: vengono rifiutati.',
    'judge:threshold': 'Il punteggio del giudice era sotto la soglia.',
  },
};

/** The verdict log names a rule of the structural layer so; the line's answer has its bare id. */
const STRUCTURE = /^structure:/;

/** The sentence for a rule, null when it is none of ours. */
export function ruleSentence(language: 'en' | 'it', rule: string): string | null {
  const structural = rule.replace(STRUCTURE, '');
  if (Object.hasOwn(STRUCTURAL_RULES, structural)) return STRUCTURAL_RULES[structural as StructuralRuleId][language];
  return Object.hasOwn(ruleWords[language], rule) ? ruleWords[language][rule as KnownRule] : null;
}
