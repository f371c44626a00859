import { PageHeader } from '../../ui/page-header.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ManyCalls } from './many-calls.tsx';
import { OneCall } from './one-call.tsx';
import { useTryText } from './strings.ts';
import { useTryDraft } from './try.store.ts';

/** A call through the real line, with nothing logged and nothing run (ui page, "Try it"). */
export function TryPage() {
  const t = useTryText();
  const mode = useTryDraft((draft) => draft.mode);
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Segmented
          size="sm"
          label={t('mode')}
          value={mode}
          onChange={(next) => useTryDraft.setState({ mode: next })}
          options={(['one', 'many'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
      </PageHeader>
      {mode === 'one' ? <OneCall /> : <ManyCalls />}
    </>
  );
}
