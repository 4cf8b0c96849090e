import { useState } from 'react'
import { canManage } from '../../../contract/roles.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { isOnServer } from '../../data/operations/pending-edits.ts'
import {
  useAliases,
  useCapability,
  useConnection,
  useReadReport,
} from '../../sync/react/use-sync.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useImportQueue } from '../import/use-import-queue.ts'
import { ArchivePreview } from './archive-preview.tsx'
import { ArchiveResult } from './archive-result.tsx'
import { LIMITS } from './limits.ts'
import { limitProblems } from './limit-problems.ts'
import { readArchive, type Problem, type ReadArchive } from './read-archive.ts'
import { restore, type Restoration } from './restore.ts'
import type { RestoreCall } from './restoring.ts'
import { saveCall } from './save-call.ts'
import { apiAddresses, useContents } from './use-contents.ts'
import { archiveMessages as messages } from './messages.ts'

/** `/settings/organisation/general?import` */
export function ImportArchive() {
  const { user, organisation } = useCurrentSession() ?? {}
  const { contents: existing, isUnreadable, plansWithoutUpdates, unread } = useContents()
  const aliases = useAliases()
  const [read, setRead] = useState<ReadArchive | 'reading'>()
  const { progress, start, stop, reset } = useImportQueue<RestoreCall>(saveCall)
  // What is saved counts as existing, so the preview is fixed when saving starts.
  const [started, setStarted] = useState<Restoration>()
  const hasTemplates = useCapability('templates')
  const takesIds = useCapability('ids')
  const keepsRenewals = useCapability('renewals')
  const { notKept } = useReadReport()
  const offline = useConnection() === 'offline'
  if (!user || !organisation) return null
  const mayAddTemplates = hasTemplates && !offline && canManage(user, organisation)

  async function choose(file: File | undefined) {
    setRead(undefined)
    if (!file) return
    setRead('reading')
    try {
      // One byte above the limit is enough to see that the file is too large.
      const bytes = await file.slice(0, LIMITS.archiveBytes + 1).arrayBuffer()
      setRead(await readArchive(new Uint8Array(bytes)))
    } catch {
      setRead({ ok: false, problems: [{ reason: messages.failed }] })
    }
  }

  const archive = typeof read === 'object' && read.ok ? read : undefined
  const restoration =
    started ??
    (archive &&
      existing &&
      restore(archive.manifest, archive.contents, {
        organisation_id: organisation.id,
        apis: apiAddresses(),
        user,
        members: existing.people,
        existing,
        aliases,
        keeps: (collection, field) =>
          field === 'renewals' ? keepsRenewals : notKept[collection]?.includes(field) !== true,
        addsTemplates: mayAddTemplates && takesIds,
        isUnsent: (resource, id) => !isOnServer(resource, id),
        plansWithoutUpdates,
      }))
  const problems =
    typeof read === 'object' && !read.ok
      ? read.problems
      : restoration && existing && !started
        ? [
            ...restoration.problems,
            ...limitProblems(organisation.plan, existing, restoration.counts),
          ]
        : []

  if (progress?.phase === 'done')
    return (
      <Frame name={organisation.name}>
        <ArchiveResult
          progress={progress}
          onAgain={() => {
            reset()
            setStarted(undefined)
            setRead(undefined)
          }}
        />
      </Frame>
    )
  return (
    <Frame name={organisation.name}>
      <div className="mt-6 flex flex-col gap-6">
        <FileField
          label={messages.file}
          hint={messages.fileHint}
          error={window.isSecureContext ? undefined : messages.insecure}
          accept=".zip,application/zip"
          disabled={progress !== undefined || !window.isSecureContext}
          onChoose={(chosen) => void choose(chosen)}
        />
        {archive && isUnreadable && <Notice tone="danger">{messages.unreadable}</Notice>}
        {(read === 'reading' || (archive && !started && !existing && !isUnreadable)) && (
          <SkeletonRows label={messages.reading} rows={3} />
        )}
        {problems.length > 0 && <Problems problems={problems} />}
        {archive && restoration && problems.length === 0 && (
          <ArchivePreview
            manifest={archive.manifest}
            restoration={restoration}
            unread={unread}
            mayAddTemplates={mayAddTemplates}
            progress={progress}
            onStop={stop}
            onAdd={(calls) => {
              setStarted(restoration)
              void start(calls)
            }}
          />
        )}
      </div>
    </Frame>
  )
}

function Frame({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="max-w-2xl">
      {/* On a phone the settings have their own way back. */}
      <div className="max-md:hidden">
        <BackLink to="/settings/organisation/general">{messages.back}</BackLink>
      </div>
      <PageHeading title={messages.importTitle} />
      <p className="mt-1 max-w-prose text-sm text-ink-muted">{messages.importLead(name)}</p>
      {children}
    </div>
  )
}

const Problems = ({ problems }: { problems: readonly Problem[] }) => (
  <Notice tone="danger" title={messages.refusedTitle}>
    <p>{messages.refused}</p>
    <ul className="mt-2 flex flex-col gap-1">
      {problems.map(({ file, line, reason }) => (
        <li key={`${file} ${line} ${reason}`} className="wrap-anywhere">
          {file !== undefined && <b>{messages.inFile(file, line)}: </b>}
          {reason}
        </li>
      ))}
    </ul>
  </Notice>
)
