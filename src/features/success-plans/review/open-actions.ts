import type { Action } from '../../../../contract/schemas/actions.ts'

/** Whether the action is still to be done. */
export const isOpenAction = ({ status }: Pick<Action, 'status'>): boolean =>
  status !== 'done' && status !== 'cancelled'

/** Compares by due date, those without one last. */
export function byDue(a: Action, b: Action): number {
  const [first, second] = [a.due_date ?? '9999', b.due_date ?? '9999']
  return first === second ? a.position - b.position : first < second ? -1 : 1
}
