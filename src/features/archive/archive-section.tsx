import { FileDown, FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { useLastSync, useOperations } from '../../sync/react/use-sync.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { saveFile } from '../../ui/platform/save-text-file.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { listMenuMessages } from '../../widgets/table/menu-messages.ts'
import { isWithinLimits, LIMITS } from './limits.ts'
import { apiAddresses, useContents } from './use-contents.ts'
import { archiveMessages as messages } from './messages.ts'

/** Export and import of the whole organisation, in its settings. `#archive` leads to them. */
export function ArchiveSection({ organisation }: { organisation: Organisation }) {
  const { contents, isUnreadable, plansWithoutUpdates, unread } = useContents()
  const syncedAt = useLastSync()
  const unsent = useOperations().filter(({ state }) => state !== 'acknowledged').length
  const today = useToday()
  const [writing, setWriting] = useState(false)
  const [isTooLarge, setTooLarge] = useState(false)
  const lines = Object.values(contents ?? {}).reduce((sum, { length }) => sum + length, 0)
  const exporter = useRef<HTMLButtonElement>(null)
  const isSought = useLocation().hash === '#archive'
  useEffect(() => {
    if (isSought) exporter.current?.focus()
  }, [isSought])
  const isRead = Object.values(unread).every((count) => count === 0)
  const isWhole = isRead && plansWithoutUpdates.length === 0
  const isSecure = window.isSecureContext
  const notes = [
    typeof syncedAt === 'number' && isWhole && messages.asOf(syncedAt),
    unsent > 0 && messages.unsent(unsent),
  ].filter((note) => note !== false)
  const gaps = [
    syncedAt === null ? messages.neverSynced : !isRead && messages.unread(unread),
    plansWithoutUpdates.length > 0 && messages.withoutUpdates(plansWithoutUpdates.length),
    (isTooLarge || !isWithinLimits({ lines })) && messages.notImportable(LIMITS),
  ].filter((gap) => gap !== false)

  async function exportAll() {
    if (!contents) return
    setWriting(true)
    try {
      const { writeArchive } = await import('./write-archive.ts')
      const { id, name, currency, timezone } = organisation
      const { bytes, isImportable } = await writeArchive(contents, {
        exported_at: new Date().toISOString(),
        as_of: typeof syncedAt !== 'number' || !isWhole ? null : new Date(syncedAt).toISOString(),
        unsent,
        plans_without_updates: plansWithoutUpdates.length,
        unread,
        organisation: { id, api: apiAddresses()[0], name, currency, timezone: timezone || 'UTC' },
      })
      const safeName = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      saveFile(messages.fileName(safeName, today), new Blob([bytes], { type: 'application/zip' }))
      setTooLarge(!isImportable)
      toast(messages.exported)
    } catch {
      toast(listMenuMessages.exportFailed)
    } finally {
      setWriting(false)
    }
  }

  return (
    <section aria-labelledby="archive" className="mt-12 border-t border-line pt-6">
      <h2 id="archive" className="text-lg">
        {messages.title}
      </h2>
      <p className="mt-1 max-w-prose text-sm text-pretty text-ink-muted">{messages.lead}</p>
      {notes.length > 0 && (
        <p className="mt-2 max-w-prose text-sm text-pretty text-ink-muted">{notes.join(' ')}</p>
      )}
      {gaps.length > 0 && (
        <div className="mt-4">
          <Notice tone="warn">
            {gaps.map((gap) => (
              <p key={gap}>{gap}</p>
            ))}
          </Notice>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          ref={exporter}
          unavailable={
            !isSecure
              ? messages.insecure
              : isUnreadable
                ? messages.unreadable
                : !contents || writing
                  ? messages.loading
                  : undefined
          }
          onClick={() => void exportAll()}
        >
          <FileDown aria-hidden />
          {messages.export}
        </Button>
        <Link to="?import" className={buttonClass()}>
          <FileUp aria-hidden />
          {messages.import}
        </Link>
      </div>
    </section>
  )
}
