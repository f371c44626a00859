/**
 * The four laws, in their order (constitution page, section 2). Rules in code: no model, no file, no clock; what
 * they need to know of the world is handed to them. May import the guard and the policy, nothing that reads or asks.
 */
import { ARTICLE_IDS, type ConstitutionalVerdict } from '../../../shared/domain/constitution.ts';
import { ConstitutionUnavailable } from '../errors.ts';
import type { Article, JudgedAction, LawFacts } from './article.ts';
import { harm } from './harm.ts';
import { obedience } from './obedience.ts';
import { perimeter } from './perimeter.ts';
import { trace } from './trace.ts';

export interface Constitution {
  articles: readonly Article[];
}

export const CONSTITUTION: Constitution = { articles: [perimeter, harm, obedience, trace] };

/** @throws ConstitutionUnavailable unless all four are there, in their order */
function articlesOf(constitution: Constitution | null): readonly Article[] {
  const articles = constitution?.articles ?? [];
  const isWhole = articles.length === ARTICLE_IDS.length && ARTICLE_IDS.every((id, at) => articles[at]?.id === id);
  if (!isWhole) throw new ConstitutionUnavailable('The constitution is missing or incomplete: nothing is decided.');
  return articles;
}

/**
 * The constitutional guard: the first law that is contradicted ends it.
 * @throws ConstitutionUnavailable when a law cannot be applied; it never passes then
 */
export function guardAction(
  constitution: Constitution | null,
  action: JudgedAction,
  facts: LawFacts,
): ConstitutionalVerdict {
  for (const law of articlesOf(constitution)) {
    try {
      if (law.contradictedBy(action, facts)) {
        return { passes: false, contradicted_article: law.id, reason: law.explain(action, facts) };
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ConstitutionUnavailable(`${law.id} cannot be applied: ${why} Nothing is decided.`, { cause: error });
    }
  }
  return { passes: true, contradicted_article: null, reason: '' };
}
