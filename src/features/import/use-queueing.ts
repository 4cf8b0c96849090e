import { useEffect, useRef, useState } from 'react'
import { StorageFullError } from '../../sync/ports.ts'
import { importWords as words } from './words.ts'

export interface Queueing {
  /** How many were to be saved. */
  all: number
  /** The ids of what is durable on this device by now. */
  ids: readonly string[]
  phase: 'saving' | 'done'
  /** Why it ended before its end. */
  ended?: string
}

/** The screen is told after so many rows: each would be a render of its own. */
const STEP = 5

/**
 * Queues one draft after the other. Each is durable when it is counted; whoever leaves or stops keeps
 * what was saved, and a second run of the same file recognises it.
 */
export function useQueueing<Draft>(save: (draft: Draft) => Promise<string>) {
  const [queueing, show] = useState<Queueing>()
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )

  async function begin(drafts: readonly Draft[]) {
    stopped.current = false
    const ids: string[] = []
    const tell = (phase: Queueing['phase'], ended?: string) =>
      show({ all: drafts.length, ids: [...ids], phase, ...(ended !== undefined && { ended }) })
    tell('saving')
    for (const draft of drafts) {
      if (stopped.current) return tell('done', words.stopped)
      try {
        ids.push(await save(draft))
      } catch (problem) {
        return tell('done', problem instanceof StorageFullError ? words.full : words.failedToSave)
      }
      if (ids.length % STEP === 0) tell('saving')
    }
    return tell('done')
  }

  return {
    queueing,
    begin,
    stop: () => {
      stopped.current = true
    },
    forget: () => show(undefined),
  }
}
