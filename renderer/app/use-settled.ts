import { useEffect, useState } from 'react';

/** A text once it has not changed for so long (ms), so that the engine is not asked with each letter of a word. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
