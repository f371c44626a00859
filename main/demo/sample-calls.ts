import type { CapabilityName } from '../../shared/domain/capability.ts';

/** One invented call of an agent, as the engine is asked about it. */
export interface SampleCall {
  channel: string;
  sender_id: string;
  intent: string;
  executor: string;
  args: Record<string, unknown>;
  capability: CapabilityName;
  target: string;
  /** How often it is drawn, relative to the others. */
  weight: number;
}

const roberto = { channel: 'telegram', sender_id: 'roberto' };
const anna = { channel: 'telegram', sender_id: 'anna' };
const web = { channel: 'web', sender_id: 'roberto' };

/** Everyday work, and now and then something that the guard has to stop. All of it invented. */
export const SAMPLE_CALLS: readonly SampleCall[] = [
  {
    ...roberto,
    intent: 'read my notes of November',
    executor: 'read_files',
    args: { paths: ['~/Documents/note/2026-11.md'] },
    capability: 'fs:read',
    target: '~/Documents/note/2026-11.md',
    weight: 9,
  },
  {
    ...roberto,
    intent: 'file the invoice from Acme',
    executor: 'write_files',
    args: { path: '~/Documents/fatture-2026/04-Acme.pdf', content: '…' },
    capability: 'fs:write',
    target: '~/Documents/fatture-2026/04-Acme.pdf',
    weight: 6,
  },
  {
    ...roberto,
    intent: 'what is the weather tomorrow',
    executor: 'get_urls',
    args: { url: 'https://example.org/weather' },
    capability: 'network:http',
    target: 'example.org',
    weight: 7,
  },
  {
    ...web,
    intent: 'what is in my calendar this week',
    executor: 'list_events',
    args: { calendar: 'personale', days: 7 },
    capability: 'calendar:read',
    target: 'personale',
    weight: 5,
  },
  {
    ...web,
    intent: 'send the summary to Anna',
    executor: 'send_messages',
    args: { to: 'telegram:anna', text: '…' },
    capability: 'channel:out',
    target: 'telegram:anna',
    weight: 4,
  },
  {
    ...anna,
    intent: 'find the photos of the trip',
    executor: 'find_files',
    args: { glob: '~/Foto/2026/*.jpg', limit: 50 },
    capability: 'fs:read',
    target: '~/Foto/2026/trip.jpg',
    weight: 5,
  },
  {
    ...roberto,
    intent: 'how full is the disk',
    executor: 'shell_exec',
    args: { command: 'df -h /home' },
    capability: 'code:exec',
    target: 'df -h /home',
    weight: 4,
  },
  {
    ...roberto,
    intent: 'tidy up the downloads folder',
    executor: 'shell_exec',
    args: { command: ['ls', '-la', '/tmp'] },
    capability: 'code:exec',
    target: 'ls -la /tmp',
    weight: 3,
  },
  {
    ...web,
    intent: 'total of the November receipts',
    executor: 'compute_sum',
    args: { values: [12.5, 40, 7.2] },
    capability: 'parse:local',
    target: '*',
    weight: 5,
  },
  {
    ...roberto,
    intent: 'read the old report',
    executor: 'read_files',
    args: { path: '/tmp/../srv/report.txt' },
    capability: 'fs:read',
    target: '/tmp/../srv/report.txt',
    weight: 2,
  },
  {
    ...roberto,
    intent: 'copy my key to the new laptop',
    executor: 'read_files',
    args: { path: '~/.ssh/id_ed25519' },
    capability: 'fs:read',
    target: '~/.ssh/id_ed25519',
    weight: 2,
  },
  {
    ...web,
    intent: 'free some space',
    executor: 'shell_exec',
    args: { command: 'rm -rf ~/' },
    capability: 'code:exec',
    target: 'rm -rf ~/',
    weight: 1,
  },
  {
    ...web,
    intent: 'which users are on this machine',
    executor: 'read_files',
    args: { path: '/etc/passwd' },
    capability: 'fs:read',
    target: '/etc/passwd',
    weight: 1,
  },
  {
    ...anna,
    intent: 'back up my cloud settings',
    executor: 'copy_files',
    args: { from: '~/.aws/credentials', to: '~/Backup/' },
    capability: 'fs:read',
    target: '~/.aws/credentials',
    weight: 1,
  },
];

/** Draws one call by its weight. */
export function drawCall(random: () => number): SampleCall {
  const total = SAMPLE_CALLS.reduce((sum, call) => sum + call.weight, 0);
  let left = random() * total;
  for (const call of SAMPLE_CALLS) {
    left -= call.weight;
    if (left < 0) return call;
  }
  return SAMPLE_CALLS[0] as SampleCall;
}
