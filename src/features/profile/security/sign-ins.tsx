import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { endpoints } from '../../../../contract/endpoints.ts'
import { SIGN_IN_STATES, type SignIn } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { ago, moment } from '../../../ui/text/dates.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { useBusy, useOfflineReason } from './security-section.tsx'
import { UnreadList } from './unread-list.tsx'
import { securityMessages as messages } from './security-messages.ts'

const MAX_SHOWN = 100

const nameOf = ({ browser, device }: SignIn) =>
  browser !== null && device !== null
    ? messages.onDevice(browser, device)
    : (browser ?? device ?? messages.unknownDevice)

/** Where the user is signed in. Not stored on the device, because it tells where the user was. */
export function SignIns({ user_id }: { user_id: string }) {
  const offline = useOfflineReason()
  const query = useQuery({
    queryKey: [user_id, '', 'sign-ins', offline],
    queryFn: async () =>
      (
        await sync().call(endpoints.listSignIns, {
          query: { per_page: MAX_SHOWN, filters: { states: [...SIGN_IN_STATES] } },
        })
      ).data,
    gcTime: 0,
    enabled: offline === undefined,
  })
  const [busy, run] = useBusy()
  const others =
    query.data?.filter(({ is_current, lost_at }) => !is_current && lost_at === null) ?? []

  const end = (work: () => Promise<unknown>, done: string) =>
    run(async () => {
      try {
        await work()
        toast(done)
      } catch (problem) {
        toast(errorMessage(problem))
      }
      await query.refetch()
    })

  return (
    <article tabIndex={-1} aria-label={messages.signIns} className="py-4 outline-none">
      <h3 className="text-sm font-semibold">{messages.signIns}</h3>
      <UnreadList query={query} />
      {query.data && (
        <ul aria-label={messages.signInsLabel} className="mt-2 border-t border-line">
          {query.data.map((one) => (
            <li key={one.id} className="border-b border-line">
              <SignInRow
                signIn={one}
                busy={busy}
                onLost={() => {
                  toast(messages.lostReported(nameOf(one)))
                  void query.refetch()
                }}
                onEnd={() =>
                  end(
                    () => sync().call(endpoints.endSignIn, { path: { id: one.id } }),
                    messages.ended(nameOf(one)),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Button
          className="mt-4"
          busy={busy}
          unavailable={offline}
          onClick={() =>
            end(() => sync().call(endpoints.endOtherSignIns, {}), messages.othersEnded)
          }
        >
          {messages.endOthers}
        </Button>
      )}
    </article>
  )
}

interface SignInRowProps {
  signIn: SignIn
  busy: boolean
  onEnd: () => void
  onLost: () => void
}

function SignInRow({ signIn, busy, onEnd, onLost }: SignInRowProps) {
  const offline = useOfflineReason()
  const [isLosing, setLosing] = useState(false)
  const { network, is_current, created_at, last_used_at, lost_at, cleared_at, unsent } = signIn
  const name = nameOf(signIn)
  const facts =
    lost_at === null
      ? [
          is_current ? messages.current : messages.lastUsed(ago(last_used_at)),
          messages.since(moment(created_at)),
          network,
        ].filter((fact) => fact !== null)
      : [
          messages.lostSince(moment(lost_at)),
          cleared_at === null
            ? messages.notCleared
            : messages.cleared(moment(cleared_at), unsent ?? 0),
        ]
  const action = (label: string, accessibleName: string, onClick: () => void) => (
    <Button
      variant="quiet"
      aria-label={accessibleName}
      busy={busy}
      unavailable={offline}
      onClick={onClick}
    >
      {label}
    </Button>
  )
  return (
    <div className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-ink-muted">
          <MonitorSmartphone aria-hidden className="size-4" />
        </span>
        <div className="min-w-0 flex-1 basis-44">
          <p className="text-sm font-semibold">{name}</p>
          <p className="text-sm text-ink-muted">{facts.join(' · ')}</p>
        </div>
        {!is_current && lost_at === null && !isLosing && (
          <div className="-me-3.5 ms-auto flex flex-wrap">
            {action(messages.lost, messages.lostOf(name), () => setLosing(true))}
            {action(messages.end, messages.endOf(name), onEnd)}
          </div>
        )}
      </div>
      {isLosing && (
        <ConfirmForm
          action={messages.reportLost}
          isDangerous
          work={() => sync().call(endpoints.reportLostDevice, { path: { id: signIn.id } })}
          onDone={() => {
            setLosing(false)
            onLost()
          }}
          onCancel={() => setLosing(false)}
        >
          <p>{messages.lostText}</p>
          <p>{messages.lostLimits}</p>
        </ConfirmForm>
      )}
    </div>
  )
}
