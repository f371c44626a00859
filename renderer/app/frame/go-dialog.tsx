import { useNavigate } from '@tanstack/react-router';
import { Languages, Search, Snowflake, SunMoon } from 'lucide-react';
import { Dialog as D } from 'radix-ui';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { cx } from '../../ui/cx.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { useAppText } from '../i18n/app-text.ts';
import { useLevels } from '../level/level.store.ts';
import { useLevelText } from '../level/strings.ts';
import { openUnfreeze } from '../level/unfreeze.store.ts';
import { useFreeze } from '../level/use-freeze.ts';
import { PAGES, pageDigit } from '../pages.ts';
import { choose } from '../preferences.store.ts';
import type { Command } from './command.ts';
import { matchesWords } from './go.logic.ts';
import { useFound } from './use-found.tsx';

function useCommands(): (Command & { label: string })[] {
  const t = useAppText();
  const level = useLevelText();
  const navigate = useNavigate();
  const frozen = useLevels((levels) => levels.state?.frozen != null);
  const { freeze } = useFreeze();
  return [
    ...PAGES.map((page, index) => ({
      id: page.path,
      group: t('go.pages'),
      label: t(page.name),
      icon: page.icon,
      hint: pageDigit(index),
      run: () => void navigate({ to: page.path }),
    })),
    {
      id: 'freeze',
      group: level('palette'),
      label: frozen ? level('palette.unfreeze') : level('palette.freeze'),
      icon: Snowflake,
      // Thawing stays the second, distinct gesture: from here one only gets to it.
      run: () => (frozen ? openUnfreeze() : void freeze()),
    },
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme-${theme}`,
      group: t('go.look'),
      label: `${t('theme')}: ${t(`theme.${theme}`)}`,
      icon: SunMoon,
      run: () => void choose({ theme }),
    })),
    ...(['en', 'it'] as const).map((language) => ({
      id: `language-${language}`,
      group: t('go.language'),
      label: `${t('language')}: ${t(`language.${language}`)}`,
      icon: Languages,
      run: () => void choose({ language }),
    })),
  ];
}

/** Ctrl/Cmd-K: type a few letters, Enter goes there. */
export function GoDialog(props: { open: boolean; onClose: () => void }) {
  const t = useAppText();
  const [text, setText] = useState('');
  const [at, setAt] = useState<string | null>(null);
  const named = useCommands().filter((command) => matchesWords(`${command.group} ${command.label}`, text));
  const { commands, notes } = useFound(text, props.open);
  const found: Command[] = [...named, ...commands];
  // By name and not by place: what arrives later does not move the choice to another line.
  const place = Math.max(
    0,
    found.findIndex(({ id }) => id === at),
  );
  const current = found[place];

  useEffect(() => {
    if (!props.open) return;
    setText('');
    setAt(null);
  }, [props.open]);

  useEffect(() => {
    if (props.open) document.getElementById(`go-${place}`)?.scrollIntoView({ block: 'nearest' });
  }, [props.open, place]);

  function run(command: Command | undefined) {
    if (!command) return;
    if (command.stays !== true) props.onClose();
    command.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(found[(place + step + found.length) % Math.max(1, found.length)]?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(current);
    }
  }

  return (
    <D.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <D.Portal>
        <D.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <D.Content
          aria-describedby={undefined}
          className="fixed top-[14vh] left-1/2 z-40 w-130 max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-overlay animate-appear"
        >
          <D.Title className="sr-only">{t('go.title')}</D.Title>
          <div className="flex h-11 items-center gap-2.5 border-b border-line px-3.5">
            <Search aria-hidden size={15} className="shrink-0 text-faint" />
            <input
              role="combobox"
              aria-expanded
              aria-controls="go-list"
              aria-activedescendant={current ? `go-${place}` : undefined}
              aria-label={t('go.placeholder')}
              placeholder={t('go.placeholder')}
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setText(event.target.value);
                setAt(null);
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-lg placeholder:text-faint outline-none"
            />
            <Kbd>Esc</Kbd>
          </div>
          <div id="go-list" role="listbox" aria-label={t('go.title')} className="max-h-[60vh] overflow-y-auto p-1.5">
            {found.length === 0 && notes.length === 0 && (
              <p className="px-2 py-3 text-soft wrap-anywhere">{t('go.none', { text })}</p>
            )}
            {found.map((command, index) => (
              <div key={command.id}>
                {command.group !== found[index - 1]?.group && (
                  <p aria-hidden className="px-2 pt-1.5 pb-1 text-2xs font-medium text-faint">
                    {command.group}
                  </p>
                )}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field that has the focus */}
                <div
                  id={`go-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={command === current}
                  onClick={() => run(command)}
                  onMouseMove={() => setAt(command.id)}
                  className={cx(
                    'flex h-8 items-center gap-2.5 rounded-sm px-2 select-none',
                    command === current && 'bg-selected',
                  )}
                >
                  <command.icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-faint" />
                  <span className="min-w-0 flex-1 truncate">{command.label}</span>
                  {command.hint && <Kbd>{command.hint}</Kbd>}
                </div>
              </div>
            ))}
          </div>
          <p role="status" className={cx(notes.length > 0 && 'border-t border-line px-3.5 py-1.5 text-xs text-faint')}>
            {notes.join(' ')}
          </p>
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}
