const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in decimal units, as file managers show it: "48 MB", "1.2 GB". */
export function formatBytes(bytes: number, language: 'en' | 'it'): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toLocaleString(language, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
