import type { Action } from '../../../../contract/schemas/actions.ts'

/** Compares by due date, those without one last. */
export function byDue(a: Action, b: Action): number {
  const [first, second] = [a.due_date ?? '9999', b.due_date ?? '9999']
  return first === second ? a.position - b.position : first < second ? -1 : 1
}
