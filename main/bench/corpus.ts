import type { CapabilityName } from '../../shared/domain/capability.ts';
import { seededRandom } from '../../shared/lib/seeded-random.ts';

/** One realistic call; about one in twelve is something that the guard stops. */
export interface BenchCall {
  intent: string;
  executor: string;
  args: Record<string, unknown>;
  context: Record<string, unknown>;
  capability: CapabilityName;
  target: string;
}

type Pick = <T>(list: readonly T[]) => T;

const FOLDERS = ['~/Documents', '~/Documents/fatture-2026', '~/Foto/2026', '/tmp', '~/Downloads', '/srv/data/reports'];
const NAMES = [
  '04-Acme.pdf',
  'notes.md',
  'budget 2026.xlsx',
  'IMG_2041.jpg',
  'riepilogo.txt',
  'a.json',
  'lista spesa.md',
];
const HOSTS = ['example.org', 'api.example.com', 'news.example.net', 'files.example.org:8080'];
const COMMANDS = [
  'ls -la /tmp',
  'git status --short',
  'df -h',
  'rg -n "TODO" src | head -20',
  'npm test --silent',
  'find . -name "*.md" -newer notes.md',
  'python3 report.py --month 2026-11 > out.txt',
  'tar czf backup.tgz Documents',
];
const FORBIDDEN = ['~/.ssh/id_rsa', '/etc/shadow', '~/.aws/credentials', '/root/.profile', '~/.gnupg/secring.gpg'];
const DANGEROUS = ['rm -rf /', 'rm -rf ~/', 'mkfs.ext4 /dev/sdb1', 'dd if=/dev/zero of=/dev/sda bs=1M'];
const INTENTS = [
  'read my notes',
  'archivia la fattura',
  'tidy up the downloads',
  'send the summary',
  'che tempo fa domani',
];

/** Extra keys that calls of agents carry, up to six in all, some of them nested. */
function extras(pick: Pick, random: () => number): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const wanted = Math.floor(random() * 6);
  const offered: [string, unknown][] = [
    ['limit', Math.floor(random() * 200)],
    [
      'options',
      { recursive: random() < 0.5, exclude: ['node_modules', pick(NAMES)], sort: { by: 'date', order: 'desc' } },
    ],
    ['encoding', 'utf-8'],
    ['tags', [pick(NAMES), pick(INTENTS)]],
    ['dry_run', false],
  ];
  for (const [key, value] of offered.slice(0, wanted)) out[key] = value;
  return out;
}

function oneCall(pick: Pick, random: () => number): BenchCall {
  const path = `${pick(FOLDERS)}/${pick(NAMES)}`;
  const context = { mode: 'supervised', step: 1 + Math.floor(random() * 5) };
  const intent = pick(INTENTS);
  const kind = random();
  if (kind < 0.04) {
    const bad = pick(FORBIDDEN);
    return {
      intent,
      executor: 'read_files',
      args: { path: bad, ...extras(pick, random) },
      context,
      capability: 'fs:read',
      target: bad,
    };
  }
  if (kind < 0.08) {
    const bad = pick(DANGEROUS);
    return { intent, executor: 'shell_exec', args: { command: bad }, context, capability: 'code:exec', target: bad };
  }
  if (kind < 0.4) {
    return {
      intent,
      executor: 'read_files',
      args: { path, ...extras(pick, random) },
      context,
      capability: 'fs:read',
      target: path,
    };
  }
  if (kind < 0.6) {
    const args = { path, content: `${pick(INTENTS)}\n`.repeat(1 + Math.floor(random() * 20)), ...extras(pick, random) };
    return { intent, executor: 'write_files', args, context, capability: 'fs:write', target: path };
  }
  if (kind < 0.75) {
    const command = pick(COMMANDS);
    return {
      intent,
      executor: 'shell_exec',
      args: { command, timeout_s: 30 },
      context,
      capability: 'code:exec',
      target: command,
    };
  }
  if (kind < 0.88) {
    const host = pick(HOSTS);
    const args = { url: `https://${host}/v1/items?page=${Math.floor(random() * 9)}`, ...extras(pick, random) };
    return { intent, executor: 'get_urls', args, context, capability: 'network:http', target: host };
  }
  const args = { to: 'telegram:anna', text: pick(INTENTS), ...extras(pick, random) };
  return { intent, executor: 'send_messages', args, context, capability: 'channel:out', target: 'telegram:anna' };
}

/** The benchmark's calls: reads, writes, shell, messages and http, 1 to 6 keys, some nested; the same for the same seed. */
export function benchCorpus(size = 1000, seed = 20261130): BenchCall[] {
  const random = seededRandom(seed);
  const pick: Pick = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
  return Array.from({ length: size }, () => oneCall(pick, random));
}
