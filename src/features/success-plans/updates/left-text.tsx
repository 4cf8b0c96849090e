// What was typed over an update that has left by now.
import { useEffect, useState } from 'react'
import { operationMessages } from '../../../data/operations/messages.ts'
import type { FeedEntry } from '../../../data/success-plans/overlay.ts'
import { sync } from '../../../sync/client.ts'
import { draftKey, draftName } from '../../../sync/react/drafts.ts'
import { useDraft } from '../../../sync/react/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { updateMessages as messages } from '../plan-messages.ts'

const OF_UPDATES = 'edit-update:'

/** The name of the draft of an edited update. Names the plan as well: when that is gone, it offers what was typed. */
export const editDraftName = (plan_id: string, update_id: string): string =>
  `${OF_UPDATES}${plan_id}:${update_id}`

/** The keys of the drafts of the user in the organisation. */
async function readKeys(): Promise<string[][]> {
  const own = draftKey('')?.slice(0, 2) ?? ['']
  const keys = await sync().store.transact(['drafts'], 'readonly', (tx) => tx.keys('drafts', own))
  return keys as string[][]
}

/** Renames drafts of an earlier version, which named them by their operations. Rejects when storage fails. */
export async function renameEarlierDrafts(): Promise<void> {
  const isEarlier = ([, , name = '']: string[]) =>
    name.startsWith(OF_UPDATES) && name.split(':').length === 2
  const earlier = (await readKeys()).filter(isEarlier)
  if (earlier.length === 0) return
  const known = [...sync().operations.get(), ...(await sync().recentlySent())]
  await sync().store.transact(['drafts'], 'readwrite', async (tx) => {
    for (const key of earlier) {
      const [user_id = '', organisation_id = '', name] = key
      const { path, body } = known.find(({ id }) => name === OF_UPDATES + id)?.input ?? {}
      if (!path) continue
      const own = editDraftName(path['id'] ?? '', (body as { id: string }).id)
      const renamed = [user_id, organisation_id, own]
      if ((await tx.get('drafts', renamed)) !== undefined) continue
      tx.put('drafts', renamed, await tx.get('drafts', key))
      tx.delete('drafts', key)
    }
  })
}

/** Names of the drafts of those updates that were edited. */
export function useEditDrafts(feed: readonly FeedEntry[]): ReadonlySet<string> {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    let isLatest = true
    void readNames(feed).then(
      (read) => isLatest && setNames(read),
      () => undefined,
    )
    return () => {
      isLatest = false
    }
  }, [feed])
  return names
}

async function readNames(feed: readonly FeedEntry[]): Promise<ReadonlySet<string>> {
  await renameEarlierDrafts()
  const stored = new Set((await readKeys()).map(draftName))
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
      <p dir="auto" className="mt-1.5 max-w-prose break-words whitespace-pre-wrap text-ink">
        {restored}
      </p>
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
