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
    if (problem.kind === 'refused') return isLost.current
    isLost.current = true
    return false
  }
}
