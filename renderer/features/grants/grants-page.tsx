import { useSearch } from '@tanstack/react-router';
import { readGrantsSearch } from '../../app/links.ts';
import { filterFrom } from './grants.logic.ts';
import { GrantsView } from './grants-view.tsx';

/** Who may do what without being asked (ui page, "Grants"). The address may open it filtered. */
export function GrantsPage() {
  const search = readGrantsSearch(useSearch({ strict: false }));
  // A new link is a new look at the page; what was filtered by hand before does not mix with it.
  return <GrantsView key={JSON.stringify(search)} start={filterFrom(search)} />;
}
