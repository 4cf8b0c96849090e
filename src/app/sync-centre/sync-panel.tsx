import { ChevronRight, Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRecordNames } from '../../data/operations/use-record-names.ts'
import type { NameOf } from '../../data/record-id.ts'
import { sync } from '../../sync/client.ts'
import {
  useAllOperations,
  useConnection,
  useLastSync,
  useReadReport,
  useSendingIds,
} from '../../sync/react/use-sync.ts'
import type { Operation } from '../../sync/core/operation.ts'
import type { ServerReport } from '../../sync/core/pull/read-report.ts'
import type { SentEntry } from '../../sync/core/sent-log.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { sendNow } from './send-now.ts'
import { SyncItem } from './sync-item.tsx'
import { unreadMessages } from './unread-messages.ts'
import { panelMessages as messages } from './panel-messages.ts'
import { describeKept, textOf, titleOf } from '../../data/operations/describe-operation.ts'
import { operationMessages } from '../../data/operations/messages.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { notKeptLines, unreadLines } from './unread-lines.ts'

const CONNECTION = {
  online: messages.online,
  offline: messages.offlineLong,
  'not-understood': unreadMessages.notUnderstood,
}

/** The sync centre: connection, last sync, pending operations, and those sent recently. */
export function SyncPanel({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const synced = useLastSync()
  const operations = useAllOperations()
  const sent = useSent()
  const delivered = sent.filter(({ given_up }) => !given_up)
  const givenUp = sent.filter(({ given_up }) => given_up)
  const pending = operations
    .filter(({ state }) => state !== 'acknowledged')
    // Operations that need attention come first; the stable sort keeps the queue order otherwise.
    .toSorted((a, b) => Number(b.state === 'attention') - Number(a.state === 'attention'))
  // One whose text is being edited stays when it is sent meanwhile, so that what was typed stays in reach.
  const [edited, setEdited] = useState<readonly Operation[]>([])
  // By its place: an edit gives it a new id.
  const isPending = ({ seq }: Operation) => pending.some((one) => one.seq === seq)
  const shown = [...edited.filter((one) => !isPending(one)), ...pending]
  const sending = useSendingIds().size > 0
  const report = useReadReport()

  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={messages.title}
      description={
        <>
          <span className="block">{CONNECTION[connection]}</span>
          <span className="block">
            {synced === null ? messages.neverSynced : synced && messages.lastSync(synced)}
          </span>
        </>
      }
      actions={
        // Retrying does not help operations that need attention.
        pending.some(({ state }) => state === 'pending') && (
          <Button variant="primary" busy={sending} onClick={() => void sendNow()}>
            {messages.sendNow}
          </Button>
        )
      }
    >
      {/* The focused item may be sent or discarded; then this has the focus, inside the dialog. */}
      <div tabIndex={-1} className="outline-none">
        {shown.length === 0 ? (
          // “Everything is synced” would contradict what could not be read.
          unreadLines(report).length === 0 && (
            <p className="border-t border-line py-5 text-sm text-ink-muted">{messages.nothing}</p>
          )
        ) : (
          <ul aria-label={messages.listLabel} className="border-t border-line">
            {shown.map((operation) => (
              <SyncItem
                key={operation.seq}
                operation={operation}
                isSent={!isPending(operation)}
                onEditing={(isEdited) =>
                  setEdited((all) => [
                    ...all.filter(({ seq }) => seq !== operation.seq),
                    ...(isEdited ? [operation] : []),
                  ])
                }
                onLeave={onClose}
              />
            ))}
          </ul>
        )}
        <ServerNotices report={report} />
        {delivered.length > 0 && <SentList sent={delivered} open={pending.length === 0} />}
        {givenUp.length > 0 && <GivenUpList entries={givenUp} />}
      </div>
    </Dialog>
  )
}

function SentList({ sent, open }: { sent: readonly SentEntry[]; open: boolean }) {
  const nameOf = useRecordNames()
  return (
    <details open={open} className="group border-t border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 py-2 text-sm font-semibold">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {messages.sentLately}
        <span className="font-normal text-ink-faint tabular-nums">{sent.length}</span>
      </summary>
      <ul aria-label={messages.sentLately} className="pb-2">
        {sent.map((one) => (
          <SentOperation key={one.id} sent={one} nameOf={nameOf} />
        ))}
      </ul>
    </details>
  )
}

/** What the user gave up in conflicts, to be copied. */
function GivenUpList({ entries }: { entries: readonly SentEntry[] }) {
  const nameOf = useRecordNames()
  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 py-2 text-sm font-semibold">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {messages.givenUp}
        <span className="font-normal text-ink-faint tabular-nums">{entries.length}</span>
      </summary>
      <p className="pb-1 text-sm text-ink-muted">{messages.givenUpHint}</p>
      <ul aria-label={messages.givenUp} className="pb-2">
        {entries.map((entry) => (
          <li
            key={`${entry.id} ${entry.sent_at}`}
            className="flex items-start gap-2.5 py-2 text-sm"
          >
            <div className="min-w-0 flex-1">
              <p className="line-clamp-2">{titleOf(entry, nameOf)}</p>
              <p dir="auto" className="break-words whitespace-pre-wrap">
                {textOf(entry, nameOf)}
              </p>
              <p className="text-ink-faint tabular-nums">{messages.givenUpAt(entry.sent_at)}</p>
            </div>
            <CopyButton
              text={textOf(entry, nameOf)}
              label={operationMessages.copy}
              done={operationMessages.copied}
              failed={operationMessages.copyFailed}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What was sent in the last 14 days, then what was given up in the last 30, latest first; read after every send. */
function useSent(): readonly SentEntry[] {
  const [sent, setSent] = useState<readonly SentEntry[]>([])
  useEffect(() => {
    let isMounted = true
    const read = () => {
      sync()
        .recentlySent()
        .then((all) => isMounted && setSent(all))
        // If storage fails, only this list is missing.
        .catch(() => undefined)
    }
    read()
    const unsubscribe = sync().operations.subscribe(read)
    return () => {
      isMounted = false
      unsubscribe()
    }
  }, [])
  return sent
}

interface SentOperationProps {
  sent: SentEntry
  nameOf: NameOf
}

/** One operation that has reached the server, with the times of writing and sending. */
function SentOperation({ sent, nameOf }: SentOperationProps) {
  const kept = describeKept(sent, nameOf)
  return (
    <li className="flex items-start gap-2.5 py-2 text-sm">
      <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2">{titleOf(sent, nameOf)}</p>
        <p className="text-ink-faint tabular-nums">
          {messages.sentAt(sent.created_at, sent.sent_at)}
          {sent.merged && ` · ${messages.merged}`}
        </p>
        {kept.length > 0 && <p className="break-words text-ink-muted">{messages.kept(kept)}</p>}
      </div>
    </li>
  )
}

/** What could not be read, and what the server does not keep: said once for each field. */
function ServerNotices({ report }: { report: ServerReport }) {
  const { title, lead, refusedLead, notKeptTitle, notKeptLead } = unreadMessages
  const isRefusedOnly = report.unread.length === 0
  return (
    <>
      <ServerNotice
        title={title}
        lead={isRefusedOnly ? refusedLead : lead}
        lines={unreadLines(report)}
      />
      <ServerNotice title={notKeptTitle} lead={notKeptLead} lines={notKeptLines(report)} />
    </>
  )
}

interface ServerNoticeProps {
  title: string
  lead: string
  lines: readonly string[]
}

function ServerNotice({ title, lead, lines }: ServerNoticeProps) {
  if (lines.length === 0) return null
  return (
    <section className="border-t border-line py-4 text-sm" aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <p className="mt-1 text-ink-muted">{lead}</p>
      <ul className="mt-2 list-disc ps-5">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </section>
  )
}
