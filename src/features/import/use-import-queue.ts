import { useEffect, useRef, useState } from 'react'
import { StorageFullError } from '../../sync/core/ports.ts'
import { importMessages as messages } from './messages.ts'

export interface ImportProgress {
  /** How many were to be saved. */
  all: number
  /** The ids of what is durable on this device by now. */
  ids: readonly string[]
  phase: 'saving' | 'done'
  /** Why it ended before its end. */
  ended?: string
}

/** The screen is told after so many rows: each would be a render of its own. */
const ROWS_PER_RENDER = 5

/**
 * Queues one draft after the other. Each is durable when it is counted; whoever leaves or stops keeps
 * what was saved, and a second run of the same file recognises it.
 */
export function useImportQueue<Draft>(save: (draft: Draft) => Promise<string>) {
  const [queueing, show] = useState<ImportProgress>()
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
    const report = (phase: ImportProgress['phase'], ended?: string) =>
      show({ all: drafts.length, ids: [...ids], phase, ...(ended !== undefined && { ended }) })
    report('saving')
    for (const draft of drafts) {
      if (stopped.current) return report('done', messages.stopped)
      try {
        ids.push(await save(draft))
      } catch (problem) {
        return report(
          'done',
          problem instanceof StorageFullError ? messages.full : messages.failedToSave,
        )
      }
      if (ids.length % ROWS_PER_RENDER === 0) report('saving')
    }
    return report('done')
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
