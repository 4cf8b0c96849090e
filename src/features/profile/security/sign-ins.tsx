import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { SignIn } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { KeepFocus } from '../../../ui/keep-focus.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { ago, moment } from '../../../ui/text/dates.ts'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { useBusy, useOfflineReason } from './security-section.tsx'
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
      (await sync().call(endpoints.listSignIns, { query: { per_page: MAX_SHOWN } })).data,
    gcTime: 0,
    enabled: offline === undefined,
  })
  const [busy, run] = useBusy()
  const others = query.data?.filter(({ is_current }) => !is_current) ?? []

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
    <KeepFocus aria-label={messages.signIns} className="py-4 outline-none">
      <h3 className="text-sm font-semibold">{messages.signIns}</h3>
      {offline !== undefined && !query.data && (
        <p className="text-sm text-ink-muted">{messages.offline}</p>
      )}
      {query.isError && (
        <div className="mt-3">
          <Notice action={<Button onClick={() => void query.refetch()}>{messages.retry}</Button>}>
            {messages.failed}
          </Notice>
        </div>
      )}
      {query.isLoading && <SkeletonRows label={messages.loading} rows={2} />}
      {query.data && (
        <ul aria-label={messages.signInsLabel} className="mt-2 border-t border-line">
          {query.data.map((one) => (
            <li key={one.id} className="border-b border-line">
              <SignInRow
                signIn={one}
                busy={busy}
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
    </KeepFocus>
  )
}

interface SignInRowProps {
  signIn: SignIn
  busy: boolean
  onEnd: () => void
}

function SignInRow({ signIn, busy, onEnd }: SignInRowProps) {
  const offline = useOfflineReason()
  const { network, is_current, created_at, last_used_at } = signIn
  const facts = [
    is_current ? messages.current : messages.lastUsed(ago(last_used_at)),
    messages.since(moment(created_at)),
    network,
  ].filter((fact) => fact !== null)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-ink-muted">
        <MonitorSmartphone aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="text-sm font-semibold">{nameOf(signIn)}</p>
        <p className="text-sm text-ink-muted">{facts.join(' · ')}</p>
      </div>
      {!is_current && (
        <Button
          variant="quiet"
          className="-me-3.5 ms-auto"
          aria-label={messages.endOf(nameOf(signIn))}
          busy={busy}
          unavailable={offline}
          onClick={onEnd}
        >
          {messages.end}
        </Button>
      )}
    </div>
  )
}
