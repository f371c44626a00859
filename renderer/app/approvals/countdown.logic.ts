import type { Language } from '../i18n/i18n.ts';

/** Time left until an instant, ms, never below 0; null where the instant is not known. */
export function timeLeft(untilMs: number | null, now: number): number | null {
  return untilMs === null ? null : Math.max(0, untilMs - now);
}

/** "9:41", "1:02:03", "2 d 3 h". Seconds are rounded up, so that 0:00 means over. */
export function formatLeft(leftMs: number, language: Language): string {
  const seconds = Math.ceil(leftMs / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} ${language === 'it' ? 'g' : 'd'} ${hours % 24} h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}
