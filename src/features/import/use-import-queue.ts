import { useEffect, useRef, useState } from 'react'
import { sync } from '../../sync/client.ts'
import { StorageFullError } from '../../sync/core/ports.ts'
import { importMessages as messages } from './messages.ts'

/** How far saving the drafts has come. */
export interface ImportProgress {
  /** Number of drafts to save. */
  all: number
  /** Ids of the records that are durable on this device. */
  ids: readonly string[]
  phase: 'saving' | 'done'
  /** The error message if saving stopped early. */
  error?: string
}

/** Progress is published every few rows, because each update renders the screen. */
const ROWS_PER_RENDER = 5

/** Another tab may open another one while the rows are saved. */
const organisationNow = () => sync().session.current()?.active_organisation?.id

/**
 * Queues drafts one after the other. Each is durable when it is counted; when the user leaves or stops,
 * saved drafts stay, and a second run of the same file skips them.
 */
export function useImportQueue<Draft>(save: (draft: Draft) => Promise<string>) {
  const [progress, setProgress] = useState<ImportProgress>()
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )

  async function start(drafts: readonly Draft[]) {
    stopped.current = false
    const ids: string[] = []
    const organisation = organisationNow()
    const report = (phase: ImportProgress['phase'], error?: string) =>
      setProgress({
        all: drafts.length,
        ids: [...ids],
        phase,
        ...(error !== undefined && { error }),
      })
    report('saving')
    for (const draft of drafts) {
      if (stopped.current || organisationNow() !== organisation)
        return report('done', messages.stopped)
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
    progress,
    start,
    stop: () => {
      stopped.current = true
    },
    reset: () => setProgress(undefined),
  }
}
