import { useNavigate } from '@tanstack/react-router';
import { Languages, type LucideIcon, Search, Snowflake, SunMoon } from 'lucide-react';
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
import { matchesWords } from './go.logic.ts';

interface Command {
  id: string;
  group: string;
  label: string;
  icon: LucideIcon;
  hint?: string;
  run: () => void;
}

function useCommands(): Command[] {
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
  const [at, setAt] = useState(0);
  const found = useCommands().filter((command) => matchesWords(`${command.group} ${command.label}`, text));
  const current = found[Math.min(at, found.length - 1)];

  useEffect(() => {
    if (!props.open) return;
    setText('');
    setAt(0);
  }, [props.open]);

  const currentId = current?.id;
  useEffect(() => {
    if (props.open && currentId !== undefined) {
      document.getElementById(`go-${currentId}`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [props.open, currentId]);

  function run(command: Command | undefined) {
    if (!command) return;
    props.onClose();
    command.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((now) => (Math.min(now, found.length - 1) + step + found.length) % Math.max(1, found.length));
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
              aria-activedescendant={current ? `go-${current.id}` : undefined}
              aria-label={t('go.placeholder')}
              placeholder={t('go.placeholder')}
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setText(event.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-lg placeholder:text-faint outline-none"
            />
            <Kbd>Esc</Kbd>
          </div>
          <div id="go-list" role="listbox" aria-label={t('go.title')} className="max-h-[60vh] overflow-y-auto p-1.5">
            {found.length === 0 && <p className="px-2 py-3 text-soft">{t('go.none', { text })}</p>}
            {found.map((command, index) => (
              <div key={command.id}>
                {command.group !== found[index - 1]?.group && (
                  <p aria-hidden className="px-2 pt-1.5 pb-1 text-2xs font-medium text-faint">
                    {command.group}
                  </p>
                )}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field that has the focus */}
                <div
                  id={`go-${command.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={command === current}
                  onClick={() => run(command)}
                  onMouseMove={() => setAt(index)}
                  className={cx(
                    'flex h-8 items-center gap-2.5 rounded-sm px-2 select-none',
                    command === current && 'bg-selected',
                  )}
                >
                  <command.icon aria-hidden size={14} strokeWidth={1.75} className="text-faint" />
                  <span className="flex-1">{command.label}</span>
                  {command.hint && <Kbd>{command.hint}</Kbd>}
                </div>
              </div>
            ))}
          </div>
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}
