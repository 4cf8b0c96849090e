import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { ProgressBar } from '../../ui/display/progress.tsx'
import type { ImportProgress } from '../import/use-import-queue.ts'
import type { Manifest, Unread } from './format.ts'
import type { Restoration } from './restore.ts'
import type { RestoreCall } from './restoring.ts'
import { archiveMessages as messages } from './messages.ts'

interface ArchivePreviewProps {
  manifest: Manifest
  restoration: Restoration
  /** How much of the organisation could not be read. */
  unread: Unread
  mayAddTemplates: boolean
  /** Set once saving has begun. */
  progress: ImportProgress | undefined
  onStop: () => void
  onAdd: (calls: RestoreCall[]) => void
}

const isSome = (unread: Unread) => Object.values(unread).some((count) => count > 0)

/** What an archive would add to the organisation, and what will differ, before anything is queued. */
export function ArchivePreview(props: ArchivePreviewProps) {
  const { manifest, restoration, unread, mayAddTemplates, progress, onStop, onAdd } = props
  const navigate = useNavigate()
  const { counts, missing, unknown } = restoration
  const rows = Object.entries(counts) as [keyof typeof counts, (typeof counts)['accounts']][]
  const templatesLater = mayAddTemplates ? 0 : counts.templates.added
  const calls = mayAddTemplates
    ? restoration.calls
    : restoration.calls.filter(({ call }) => call !== 'createTemplate')
  const records = rows.reduce((sum, [, { added }]) => sum + added, -templatesLater)
  const incomplete = manifest.plans_without_updates
  return (
    <section aria-labelledby="archive-preview">
      <h2 id="archive-preview" className="text-lg">
        {messages.preview}
      </h2>
      <p className="mt-1 text-sm text-ink-muted">
        {messages.from(manifest.organisation.name, manifest.exported_at)}
      </p>
      <table aria-label={messages.previewLabel} className="mt-4 w-full text-sm">
        <thead className="border-b border-line text-ink-muted">
          <tr>
            <th scope="col" className="py-2 text-start font-semibold">
              {messages.kind}
            </th>
            <th scope="col" className="py-2 ps-4 text-end font-semibold">
              {messages.added}
            </th>
            <th scope="col" className="py-2 ps-4 text-end font-semibold">
              {messages.known}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { added, known }]) => (
            <tr key={name} className="border-b border-line">
              <th scope="row" className="py-2 text-start font-semibold">
                {messages.collections[name]}
              </th>
              <td className="py-2 ps-4 text-end tabular-nums">{messages.number(added)}</td>
              <td className="py-2 ps-4 text-end text-ink-muted tabular-nums">
                {messages.number(known)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="mt-4 flex list-disc flex-col gap-1.5 ps-5 text-sm text-pretty text-ink-muted">
        <li>{messages.authors}</li>
        {missing.length > 0 && <li>{messages.missing(missing)}</li>}
        {unknown.length > 0 && <li>{messages.unknown(unknown)}</li>}
        {incomplete > 0 && <li>{messages.incomplete(incomplete)}</li>}
        {isSome(manifest.unread) && <li>{messages.notRead(manifest.unread)}</li>}
      </ul>
      {isSome(unread) && !progress && (
        <div className="mt-4">
          <Notice tone="warn">{messages.targetUnread}</Notice>
        </div>
      )}
      {templatesLater > 0 && (
        <div className="mt-4">
          <Notice tone="warn">{messages.templatesLater(templatesLater)}</Notice>
        </div>
      )}
      {calls.length === 0 && <p className="mt-4 font-semibold">{messages.nothing}</p>}
      {progress ? (
        <div className="mt-5 flex flex-wrap items-center gap-4">
          <div className="min-w-48 grow">
            <ProgressBar
              label={messages.progress}
              value={Math.round((100 * progress.ids.length) / Math.max(1, progress.all))}
            />
            <p className="mt-1.5 text-sm text-ink-muted tabular-nums">
              {messages.saving(progress.ids.length, progress.all)}
            </p>
          </div>
          <Button onClick={onStop}>{messages.stop}</Button>
        </div>
      ) : (
        <div className="mt-5 flex flex-wrap gap-2">
          {calls.length > 0 && (
            <Button variant="primary" onClick={() => onAdd(calls)}>
              {messages.add(records)}
            </Button>
          )}
          <Button onClick={() => void navigate('/settings/organisation/general')}>
            {messages.cancel}
          </Button>
        </div>
      )}
    </section>
  )
}
