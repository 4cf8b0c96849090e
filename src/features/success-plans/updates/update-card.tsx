import { memo, useState } from 'react'
import { isEditable, type Operation } from '../../../sync/core/operation.ts'
import { useSendingIds } from '../../../sync/react/use-sync.ts'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { OperationStateMark, stateOf } from '../../../widgets/operations/operation-state.tsx'
import type { FeedEntry } from '../../../data/success-plans/overlay.ts'
import { PendingOperation } from '../../../widgets/operations/pending-operation.tsx'
import { HealthMark } from '../../../widgets/status/tags.tsx'
import { LeftText, editDraftName } from './left-text.tsx'
import { PendingUpdate } from './pending-update.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

/** From this delay on, the times of writing and syncing are both shown. */
const LATE_AFTER_MS = 10 * 60_000

interface UpdateCardProps {
  entry: FeedEntry
  author: string
  /** Names of the drafts of edited updates. */
  drafts: ReadonlySet<string>
}

/** Feed entries are rebuilt on each change, but their parts keep their identity. */
const isSame = (before: UpdateCardProps, after: UpdateCardProps) =>
  before.entry.update === after.entry.update &&
  before.entry.operation === after.entry.operation &&
  before.author === after.author &&
  before.drafts === after.drafts

/** One update. While it is pending it shows its state; it keeps its place when it is sent. */
export const UpdateCard = memo(function UpdateCard({ entry, author, drafts }: UpdateCardProps) {
  const { update, operation } = entry
  const sending = useSendingIds()
  const state = operation && stateOf(operation, sending)
  const editable = operation !== null && isEditable(operation)
  // Kept when it is sent meanwhile, so that what was typed stays in reach.
  const [edited, setEdited] = useState<Operation>()
  const pending = editable ? operation : edited
  const draft = editDraftName(update.success_plan_id, update.id)

  return (
    <article
      tabIndex={-1}
      aria-label={`${author}, ${messages.written(update.written_at)}`}
      className={`flex gap-3 border-b border-line py-5 outline-none ${state === 'attention' ? '-mx-3 -mt-px rounded-lg border-transparent bg-glow-soft/50 px-3' : ''}`}
    >
      <Avatar name={author} />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold">{author}</span>
          <Times written_at={update.written_at} created_at={update.created_at} />
          {state && <OperationStateMark state={state} />}
        </div>
        {!(editable && edited?.id === operation.id) && update.body !== '' && (
          <RichText text={update.body} className="mt-1.5 max-w-prose leading-6 text-ink" />
        )}
        {!operation?.conflict && <Changes entry={entry} />}
        {pending && (
          <PendingUpdate
            operation={pending}
            editing={edited !== undefined}
            isSent={!editable}
            onEditing={setEdited}
          />
        )}
        {operation && state === 'saved' && !pending && <PendingOperation operation={operation} />}
        {!pending && drafts.has(draft) && <LeftText name={draft} />}
      </div>
    </article>
  )
}, isSame)

function Times({ written_at, created_at }: { written_at: string; created_at: string | null }) {
  const late =
    created_at !== null && Date.parse(created_at) - Date.parse(written_at) > LATE_AFTER_MS
  return (
    <time dateTime={written_at} className="text-sm text-ink-faint tabular-nums">
      {late ? messages.writtenAndSynced(written_at, created_at) : messages.written(written_at)}
    </time>
  )
}

function Changes({ entry: { update } }: { entry: FeedEntry }) {
  const { progress_from, progress_to, status_from, status_to, health } = update
  if (progress_to === null && status_to === null && health === null) return null
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-muted tabular-nums">
      {status_to !== null && (
        <span className="font-semibold text-ink first-letter:uppercase">
          {messages.statusFact(status_from, status_to)}
        </span>
      )}
      {progress_to !== null && <span>{messages.progressFact(progress_from, progress_to)}</span>}
      {health !== null && <HealthMark health={health} />}
    </p>
  )
}
