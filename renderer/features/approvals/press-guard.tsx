import {
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/button.tsx';
import { PressGuard, timeOf } from './press-guard.logic.ts';

const clock = () => performance.now();

const GuardContext = createContext<PressGuard | null>(null);

/** Makes the guard for a list of cards. `box` is what scrolls; everything in it is watched for moves. */
export function GuardProvider(props: {
  cards: readonly string[];
  box: RefObject<HTMLElement | null>;
  children: ReactNode;
}) {
  const [guard] = useState(() => new PressGuard(clock()));
  const { cards, box } = props;

  const key = JSON.stringify(cards);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the cards
  useLayoutEffect(() => {
    guard.show(cards, clock());
    // Two frames: the first is the one that paints the cards. A hidden window has none, and opens nothing.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => guard.paint(clock()));
    });
    return () => cancelAnimationFrame(frame);
  }, [guard, key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other cards are other things to watch
  useLayoutEffect(() => {
    if (!box.current || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => guard.disturb(clock()));
    observer.observe(box.current);
    for (const each of box.current.querySelectorAll('[data-guard]')) observer.observe(each);
    return () => observer.disconnect();
  }, [guard, box, key]);

  useEffect(() => {
    const disturb = () => guard.disturb(clock());
    window.addEventListener('focus', disturb);
    document.addEventListener('visibilitychange', disturb);
    return () => {
      window.removeEventListener('focus', disturb);
      document.removeEventListener('visibilitychange', disturb);
    };
  }, [guard]);

  return <GuardContext value={guard}>{props.children}</GuardContext>;
}

/** False until the card can be pressed; only for how its buttons look. */
function useOpen(guard: PressGuard, card: string): boolean {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const left = guard.opensAt(card) - clock();
      setOpen(left <= 0);
      if (left > 0 && Number.isFinite(left)) timer = setTimeout(look, left);
    };
    look();
    const stop = guard.subscribe(look);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [guard, card]);
  return open;
}

type ButtonProps = Parameters<typeof Button>[0];

/**
 * A button that decides. It acts on a press that began and ended on it after the card opened; a key that is
 * held down, or that was pressed elsewhere, does nothing.
 */
export function DecidingButton({ card, onPress, ...rest }: ButtonProps & { card: string; onPress: () => void }) {
  const guard = useContext(GuardContext);
  if (!guard) throw new Error('a deciding button stands in a GuardProvider');
  const open = useOpen(guard, card);
  const began = useRef<number | null>(null);

  const press = (event: SyntheticEvent) => {
    began.current = timeOf(event, clock());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (event.repeat) event.preventDefault();
    else press(event);
  };
  const onClick = (event: MouseEvent) => {
    const ended = timeOf(event, clock());
    // Programs that press for a person (a screen reader) send a click alone.
    const from = began.current ?? ended;
    began.current = null;
    if (guard.allows(card, from, ended)) onPress();
  };
  return (
    <Button
      {...rest}
      data-open={open}
      onPointerDown={press}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className={`data-[open=false]:opacity-60 ${rest.className ?? ''}`}
    />
  );
}
