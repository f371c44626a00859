import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from './input.tsx';

const TYPING_MS = 200;

/** Text that is taken over when the typing rests. */
export function SearchField(props: { label: string; value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(props.value);
  const { value, onChange } = props;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Input
      icon={Search}
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="min-w-32 flex-[0_1_17rem]"
    />
  );
}
