import { PageHeader } from '../../ui/page-header.tsx';
import { useTryText } from './strings.ts';

export function TryPage() {
  const t = useTryText();
  return <PageHeader title={t('title')} />;
}
