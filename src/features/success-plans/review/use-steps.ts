// The steps of a run beside their operations: what can still be undone, and what was undone elsewhere.
import { useEffect } from 'react'
import { bodyFields, createdRecordId } from '../../../data/operations/operation-call.ts'
import { sync } from '../../../sync/client.ts'
import type { Operation } from '../../../sync/core/operation.ts'
import { useAliases, useOperations, useOutboxRead } from '../../../sync/react/use-sync.ts'
import type { MovedStep, ReviewRun } from './use-run.ts'

/** Operations that are sent are listed for a day. */
const SENT_LOG_MS = 86_400_000

type Stored = Pick<Operation, 'id' | 'input' | 'created_at'>
type Step = Partial<Pick<MovedStep, 'id' | 'queued'>>

/** Finds the operation of a step among stored ones. */
function useFinder() {
  const aliases = useAliases()
  return <T extends Stored>(stored: readonly T[], { id, queued }: Step): T | undefined => {
    if (id === undefined) return undefined
    const ids = [id, aliases.get(id)?.id]
    return stored.find(
      (one) =>
        // A correction has another id.
        one.id === id || one.created_at === queued || ids.includes(createdRecordId(one) ?? ''),
    )
  }
}

/** The operation of a step of the run; undefined once it is sent and read back, or gone. */
export function useStepOperation(): (step: Step) => Operation | undefined {
  const operations = useOperations()
  const find = useFinder()
  return (step) => find(operations, step)
}

/** A step that can be undone. */
export interface UndoableStep {
  id: string
  plan_id: string
  /** Undefined for an update. */
  text: string | undefined
  /** The position of its operation. */
  seq: number
}

/** The last quick step of the run, as long as no attempt to send it has started, and it was not corrected. */
export function useUndoableStep(run: ReviewRun | undefined): UndoableStep | undefined {
  const operationOf = useStepOperation()
  if (!run) return undefined
  const updates = Object.entries(run.posted)
    .flatMap(([plan_id, posted]) => posted.map((update) => ({ ...update, plan_id })))
    .filter(({ quick }) => quick)
    .map(({ id, plan_id }) => ({ id, plan_id, text: undefined }))
  const steps = [...updates, ...run.moved].flatMap((step) => {
    const { id = '', plan_id, text } = step
    const operation = operationOf({ id })
    const isUnsent = operation?.state === 'pending' && operation.attempts === 0
    return isUnsent ? [{ id, plan_id, text, seq: operation.seq }] : []
  })
  return steps.toSorted((a, b) => b.seq - a.seq)[0]
}

/** Removes from the run what was discarded in the sync centre or in another tab before it was sent. */
export function useForgetDiscarded(
  run: ReviewRun | undefined,
  forget: (ids: readonly string[]) => void,
): void {
  const isRead = useOutboxRead(run !== undefined)
  // Renders again when an operation leaves.
  useOperations()
  const find = useFinder()
  useEffect(() => {
    if (!run || !isRead) return undefined
    // As they are now: a rendered list may lack the newest.
    const operations = sync().operations.get()
    const steps: (Step & { at?: number })[] = [...Object.values(run.posted).flat(), ...run.moved]
    const gone = steps.filter((step) => {
      const isRecent = Date.now() - (step.at ?? 0) < SENT_LOG_MS
      return step.id !== undefined && isRecent && !find(operations, step)
    })
    if (gone.length === 0) return undefined
    let isMounted = true
    sync()
      .recentlySent()
      .then((log) => {
        const sent = log.filter(({ given_up }) => !given_up)
        const unsent = gone.flatMap((step) => (find(sent, step) ? [] : (step.id ?? [])))
        if (isMounted && unsent.length > 0) forget(unsent)
      })
      // If storage fails, the run is shown as it was.
      .catch(() => undefined)
    return () => {
      isMounted = false
    }
  })
}

/** Gives the updates of the run the words that they were given elsewhere before they were sent. */
export function useCorrectedWords(
  run: ReviewRun | undefined,
  reword: (id: string, body: string) => void,
): void {
  const operationOf = useStepOperation()
  useEffect(() => {
    for (const update of Object.values(run?.posted ?? {}).flat()) {
      const operation = operationOf(update)
      if (!operation) continue
      const { body = '' } = bodyFields(operation.input)
      if (typeof body === 'string' && body !== update.body) reword(update.id, body)
    }
  })
}
