import { limitsOf } from '../../../contract/roles.ts'
import { isPlanOpen } from '../../../contract/rules.ts'
import type { Contents } from './format.ts'
import type { Problem } from './read-archive.ts'
import type { Restoration } from './restore.ts'
import { archiveMessages as messages } from './messages.ts'

/**
 * What the organisation's plan has no room for. Every new success plan counts, because it is created open, also if it
 * is completed later in the import.
 */
export function limitProblems(
  plan: string,
  existing: Pick<Contents, 'accounts' | 'success_plans' | 'templates'>,
  counts: Restoration['counts'],
): Problem[] {
  const limits = limitsOf(plan)
  const open = existing.success_plans.filter(isPlanOpen).length
  const wanted = [
    ['account', limits.accounts, existing.accounts.length, counts.accounts.added],
    ['open plan', limits.active_success_plans, open, counts.success_plans.added],
    ['template', limits.templates, existing.templates.length, counts.templates.added],
  ] as const
  return wanted.flatMap(([what, most, used, added]) =>
    most !== null && added > 0 && used + added > most
      ? [{ reason: messages.limit(what, most) }]
      : [],
  )
}
