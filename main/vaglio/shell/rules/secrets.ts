import { readings } from '../paths.ts';
import { holdsSecrets, isDisk, type Sureness, secretAt } from '../places.ts';
import { placeOf, places } from '../targets.ts';
import type { Arg, CommandFact, Rule, Session } from '../types.ts';

/** Something in the word has to remind of a listed place before the path is worked out. */
const WANTED = /ssh|gnupg|aws|cred|passwd|shadow|sudoers|ssw|hado|udoe|root|boot|sys|proc|\.\.|etc/i;

function secretArg(c: CommandFact, s: Session, wanted: Sureness): Arg | boolean {
  for (const { arg, path } of places(c, s, WANTED)) if (secretAt(path, s.home) === wanted) return arg;
  for (const r of c.redirects) {
    for (const path of readings(placeOf(r.target.v, c, s))) if (secretAt(path, s.home) === wanted) return r.target;
  }
  return false;
}

const TREE_READERS = [
  'cat',
  'cp',
  'gcp',
  'mv',
  'tar',
  'zip',
  '7z',
  '7za',
  'rsync',
  'scp',
  'grep',
  'rg',
  'rclone',
  'sftp',
  'rm',
  'gzip',
  'cpio',
  'pax',
  'ln',
  'chmod',
  'chown',
  'aws',
  'gsutil',
  'restic',
  'borg',
];
const RAW_READERS = [
  'dd',
  'gdd',
  'cat',
  'strings',
  'xxd',
  'hexdump',
  'od',
  'grep',
  'head',
  'tail',
  'cp',
  'pv',
  'debugfs',
  'photorec',
  'foremost',
  'dc3dd',
  'dcfldd',
  'base64',
  'nc',
];

export const secretRules: readonly Rule[] = [
  {
    id: 'secret.path',
    answer: 'block',
    protects: 'keys, passwords and the other listed places',
    harm: 'secret-access',
    needs: ['targets', 'redirects'],
    says: {
      en: 'Reaches one of the places that are always closed: keys, credentials, accounts, system internals.',
      it: 'Raggiunge uno dei luoghi sempre chiusi: chiavi, credenziali, account, interni del sistema.',
    },
    tools: '*',
    when: (c, s) => secretArg(c, s, 'yes'),
  },
  {
    id: 'secret.maybe',
    answer: 'mark',
    protects: 'keys, passwords and the other listed places',
    harm: 'secret-access',
    needs: ['targets'],
    says: {
      en: 'A pattern in this command may also meet a closed place.',
      it: 'Un modello in questo comando può comprendere anche un luogo chiuso.',
    },
    tools: '*',
    when: (c, s) => secretArg(c, s, 'maybe'),
  },
  {
    id: 'secret.folder',
    answer: 'block',
    protects: 'the folder that holds cloud credentials',
    harm: 'secret-access',
    needs: ['verb', 'targets'],
    says: {
      en: 'Takes a whole folder that holds credentials.',
      it: 'Prende un’intera cartella che contiene credenziali.',
    },
    tools: TREE_READERS,
    when: (c, s) => {
      for (const { arg, path } of places(c, s, /\.aws/i)) if (holdsSecrets(path)) return arg;
      return false;
    },
  },
  {
    id: 'secret.raw-disk',
    answer: 'mark',
    protects: 'everything on a disk, read past all permissions',
    harm: 'secret-access',
    needs: ['verb', 'targets'],
    says: {
      en: 'Reads a disk directly, past the permissions of its files.',
      it: 'Legge un disco direttamente, scavalcando i permessi dei file.',
    },
    tools: RAW_READERS,
    when: (c, s) => {
      for (const { arg, path } of places(c, s, /\/dev\//)) if (isDisk(path)) return arg;
      return false;
    },
  },
  {
    id: 'secret.accounts-editor',
    answer: 'block',
    protects: 'the list of who may become administrator',
    harm: 'secret-access',
    needs: ['verb'],
    says: {
      en: 'Edits the accounts or the administrators of this machine directly.',
      it: 'Modifica direttamente gli account o gli amministratori della macchina.',
    },
    tools: ['visudo', 'vipw', 'vigr'],
    when: (c) => !c.args.some((arg) => /^(?:-c|--check|-h|--help|-V|--version)$/.test(arg.v)),
  },
];
