/** Checks the fields of a project, as far as that can be done before the service is asked. */
import slugify from '@sindresorhus/slugify';

export type FieldProblem = 'empty' | 'tooLong' | 'notASlug';

/** Longer ones are taken for a mistake. */
const longest = 200;

/** A slug made from a name: what a person would type, also for names with umlauts or in other scripts. */
export function slugFrom(name: string): string {
  return slugify(name).slice(0, longest);
}

export function nameProblem(text: string): FieldProblem | undefined {
  const name = text.trim();
  return name === '' ? 'empty' : name.length > longest ? 'tooLong' : undefined;
}

/** Returns the problem with a project's slug, which stands in addresses. */
export function slugProblem(text: string): FieldProblem | undefined {
  const slug = text.trim();
  if (slug === '') {
    return 'empty';
  }
  if (slug.length > longest) {
    return 'tooLong';
  }
  return slug === '.' || slug === '..' || /[\s/?#\p{Cc}]/u.test(slug) ? 'notASlug' : undefined;
}
