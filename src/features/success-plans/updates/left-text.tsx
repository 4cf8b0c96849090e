// What was typed over an update that has left by now.
import { useEffect, useState } from 'react'
import { operationMessages } from '../../../data/operations/messages.ts'
import type { FeedEntry } from '../../../data/success-plans/overlay.ts'
import { sync } from '../../../sync/client.ts'
import { draftKey } from '../../../sync/react/drafts.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

/** The name of the draft of an edited update. Names the plan as well: when that is gone, it offers what was typed. */
export const editDraftName = (plan_id: string, update_id: string): string =>
  `edit-update:${plan_id}:${update_id}`

/** Names of the drafts of those updates that were edited. */
export function useEditDrafts(feed: readonly FeedEntry[]): ReadonlySet<string> {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    void readNames(feed).then(setNames, () => undefined)
  }, [feed])
  return names
}

async function readNames(feed: readonly FeedEntry[]): Promise<ReadonlySet<string>> {
  const own = draftKey('')?.slice(0, 2) ?? ['']
  const keys = await sync().store.transact(['drafts'], 'readonly', (tx) => tx.keys('drafts', own))
  const stored = new Set(keys.map((key) => String(key[2])))
  const names = feed.map(({ update }) => editDraftName(update.success_plan_id, update.id))
  return new Set(names.filter((name) => stored.has(name)))
}

/** The text of the draft `name`, to be copied or discarded. */
export function LeftText({ name }: { name: string }) {
  const { restored, clear } = useDraft(name)
  const [isDiscarded, setDiscarded] = useState(false)
  if (!restored || isDiscarded) return null
  return (
    <div className="mt-3">
      <p className="text-sm text-pretty text-ink-muted">{messages.editTooLate}</p>
      <p className="mt-1.5 max-w-prose break-words whitespace-pre-wrap text-ink">{restored}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyButton
          text={restored}
          label={operationMessages.copy}
          done={operationMessages.copied}
          failed={operationMessages.copyFailed}
        />
        <Button
          variant="quiet"
          onClick={() => {
            clear()
            setDiscarded(true)
          }}
        >
          {messages.discardText}
        </Button>
      </div>
    </div>
  )
}
