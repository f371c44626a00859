import { Download, X } from 'lucide-react';
import { DropdownMenu as M } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import type { ExportFormat, VerdictFilter } from '../../../shared/rpc/audit.ts';
import { useLanguage } from '../../app/i18n/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/bytes.logic.ts';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.store.ts';
import { copyRows, type ExportProgress, exportName, exportUrl, type Sink } from './export.logic.ts';
import { useAuditText } from './strings.ts';

/** What Chromium offers to write a file that the person chose; other browsers have their own download. */
type SavePicker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<Sink> }>;

const savePicker = (): SavePicker | null =>
  'showSaveFilePicker' in window && typeof window.showSaveFilePicker === 'function'
    ? (window.showSaveFilePicker as SavePicker).bind(window)
    : null;

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

/** The browser's own download, with its own progress and its own cancel. */
function handOver(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** The rows of the present filter as a file: streamed, with progress, and called off at any time. */
export function ExportButton(props: { filter: VerdictFilter; disabled: boolean }) {
  const t = useAuditText();
  const language = useLanguage();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const count = (n: number) => n.toLocaleString(language);

  async function run(format: ExportFormat) {
    const url = exportUrl(format, props.filter);
    const name = exportName(format, new Date());
    const pick = savePicker();
    if (pick === null) {
      handOver(url, name);
      showToast({ text: t('export.browser') });
      return;
    }
    let sink: Sink;
    try {
      sink = await (await pick({ suggestedName: name })).createWritable();
    } catch (error) {
      // Whoever closes the dialog has chosen nothing.
      if (!isAbort(error)) showToast({ text: t('export.failed'), detail: String(error), tone: 'error' });
      return;
    }
    const stop = new AbortController();
    abort.current = stop;
    setProgress({ rows: 0, bytes: 0, total: null });
    try {
      const done = await copyRows(await fetch(url, { signal: stop.signal }), sink, format, setProgress);
      showToast({
        text: t('export.done', { count: done.rows, rows: count(done.rows) }),
        detail: formatBytes(done.bytes, language),
      });
    } catch (error) {
      await sink.abort().catch(() => undefined);
      if (stop.signal.aborted) showToast({ text: t('export.cancelled') });
      else showToast({ text: t('export.failed'), detail: String(error), tone: 'error' });
    } finally {
      abort.current = null;
      setProgress(null);
    }
  }

  if (progress !== null) {
    const said = { rows: count(progress.rows), size: formatBytes(progress.bytes, language) };
    const part = progress.total === null || progress.total === 0 ? null : Math.min(1, progress.rows / progress.total);
    return (
      <span className="inline-flex h-7 items-center gap-2 rounded-md border border-line bg-raised pl-2.5 text-xs">
        <span role="status" className="tabular-nums">
          {progress.total === null
            ? t('export.running', said)
            : t('export.runningOf', { ...said, total: count(progress.total) })}
        </span>
        {part !== null && (
          <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-line">
            <span className="block h-full bg-accent" style={{ width: `${part * 100}%` }} />
          </span>
        )}
        <IconButton size="sm" icon={X} label={t('export.cancel')} onClick={() => abort.current?.abort()} />
      </span>
    );
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button size="sm" icon={Download} disabled={props.disabled}>
          {t('export')}
        </Button>
      }
    >
      {(['jsonl', 'csv'] as const).map((format) => (
        <M.Item
          key={format}
          onSelect={() => void run(format)}
          className="flex min-h-7 items-center rounded-sm px-2 py-1 outline-none select-none data-[highlighted]:bg-hover"
        >
          {t(`export.${format}`)}
        </M.Item>
      ))}
      <p className="max-w-64 px-2 py-1.5 text-xs text-faint text-pretty">{t('export.help')}</p>
    </Menu>
  );
}
