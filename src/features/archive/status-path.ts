import { transitionsFrom } from '../../../contract/rules.ts'
import type { PlanStatus } from '../../../contract/values.ts'

/**
 * The statuses to go through from one to another, the last one included, by the shortest allowed way; empty if
 * they are the same, undefined if there is no way.
 */
export function statusPath(from: string, to: string): readonly PlanStatus[] | undefined {
  if (from === to) return []
  const seen = new Set([from])
  let paths: PlanStatus[][] = transitionsFrom(from).map((next) => [next])
  while (paths.length > 0) {
    const found = paths.find((path) => path.at(-1) === to)
    if (found) return found
    paths = paths.flatMap((path) =>
      transitionsFrom(path.at(-1) ?? '')
        .filter((next) => !seen.has(next))
        .map((next) => [...path, next]),
    )
    for (const path of paths) seen.add(path.at(-1) ?? '')
  }
  return undefined
}

/** The status with which a plan or an initiative can be created on the way to `status`. */
export const firstStatus = (status: string): 'planned' | 'in-progress' =>
  status === 'planned' ? 'planned' : 'in-progress'
