import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OperationStateMark, stateOf } from '../features/operations/operation-state.tsx'
import { WaitingOperation } from '../features/operations/waiting-operation.tsx'
import { organisationsQuery } from '../features/organisations/queries.ts'
import { useCurrent } from '../features/session/queries.ts'
import { usePlans } from '../features/success-plans/use-plans.ts'
import { WaitingUpdate } from '../features/success-plans/waiting-update.tsx'
import { sync } from '../sync/client.ts'
import type { Operation } from '../sync/operation.ts'
import { isEditable } from '../sync/outbox.ts'
import { useAllOperations, useConnection, useLastSync, useSendingIds } from '../sync/react.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.tsx'
import { textOf, titleOf } from './describe-operation.ts'
import { syncWords as words } from './words.ts'

/** The sync centre: the connection, the last sync, and each thing that waits. */
export function SyncPanel({ onClose }: { onClose: () => void }) {
  const offline = useConnection() === 'offline'
  const synced = useLastSync()
  const waiting = useAllOperations().filter(({ state }) => state !== 'acknowledged')
  const sending = useSendingIds().size > 0

  async function sendNow() {
    await sync().sendNow()
    if (sync().engine.connection.get() === 'offline') toast(words.stillOffline)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={words.title}
      description={
        <>
          <span className="block">{offline ? words.offlineLong : words.online}</span>
          <span className="block">
            {synced === null ? words.neverSynced : words.lastSync(synced)}
          </span>
        </>
      }
      actions={
        waiting.length > 0 && (
          <Button variant="primary" busy={sending} onClick={() => void sendNow()}>
            {words.sendNow}
          </Button>
        )
      }
    >
      {waiting.length === 0 ? (
        <p className="border-t border-line py-5 text-sm text-ink-muted">{words.nothing}</p>
      ) : (
        <ul aria-label={words.listLabel} className="border-t border-line">
          {waiting.map((operation) => (
            <Item key={operation.seq} operation={operation} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Item({ operation }: { operation: Operation }) {
  const { plans } = usePlans()
  const here = useCurrent()?.organisation
  const organisations = useQuery(organisationsQuery()).data?.data
  const sending = useSendingIds()
  const [editing, setEditing] = useState(false)
  const organisation =
    organisations?.find(({ id }) => id === operation.organisation_id)?.name ??
    (operation.organisation_id === here?.id ? here?.name : undefined) ??
    words.otherOrganisation
  const text = textOf(operation)

  return (
    <li className="border-b border-line py-4 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-semibold">{titleOf(operation, plans)}</p>
          <p className="text-sm text-ink-faint">{words.said(organisation, operation.created_at)}</p>
        </div>
        <OperationStateMark state={stateOf(operation, sending)} />
      </div>
      {text !== '' && !editing && (
        <p className="mt-1.5 line-clamp-3 text-sm whitespace-pre-wrap text-ink-muted">{text}</p>
      )}
      {operation.endpoint === 'postPlanUpdate' && isEditable(operation) ? (
        <WaitingUpdate operation={operation} editing={editing} onEditing={setEditing} />
      ) : (
        <WaitingOperation operation={operation} text={text} />
      )}
    </li>
  )
}
