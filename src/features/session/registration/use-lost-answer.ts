import { useRef } from 'react'
import { CallError } from '../../../sync/client.ts'

/**
 * Told of each failed attempt: whether an earlier one may have done what the server refuses now, because its answer
 * was lost.
 */
export function useLostAnswer(): (problem: unknown) => boolean {
  const isLost = useRef(false)
  return (problem) => {
    if (!(problem instanceof CallError)) return false
    const { kind, status = 0 } = problem
    if (kind === 'refused') return isLost.current
    // Any other answer, such as that of too many attempts, says that nothing was done.
    isLost.current ||= kind === 'unreachable' || status >= 500
    return false
  }
}
