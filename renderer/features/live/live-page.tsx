import { PageHeader } from '../../ui/page-header.tsx';

export function LivePage() {
  return <PageHeader title="Live" />;
}
