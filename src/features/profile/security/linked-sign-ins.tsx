import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { LinkedSignIn } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { moment } from '../../../ui/text/dates.ts'
import { useConfiguration } from '../../session/cached-config.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { Setting, useOfflineReason } from './security-section.tsx'
import { UnreadList } from './unread-list.tsx'
import { securityMessages as messages } from './security-messages.ts'

/** The providers that open the account, such as Google. Nothing where there are none. */
export function LinkedSignIns({ user_id }: { user_id: string }) {
  const offline = useOfflineReason()
  const { oidcName } = useConfiguration()
  const nameOf = ({ provider }: LinkedSignIn) =>
    (provider === 'oidc' ? oidcName : null) ?? messages.providers[provider] ?? provider
  const [opened, setOpened] = useState<string>()
  const query = useQuery({
    queryKey: [user_id, '', 'linked-sign-ins', offline],
    queryFn: async () => (await sync().call(endpoints.listLinkedSignIns, {})).data,
    gcTime: 0,
    enabled: offline === undefined,
  })
  const close = () => setOpened(undefined)

  return (
    <>
      {/* Most users have none: a title that is there while they are loading would go away again. */}
      {(query.isError || (!query.data && !query.isLoading)) && (
        <Setting title={messages.linkedTitle} text={null}>
          <UnreadList query={query} />
        </Setting>
      )}
      {query.data?.map((one) => (
        <Setting
          key={one.id}
          title={messages.linked(nameOf(one))}
          text={[one.email, one.created_at === null ? null : messages.since(moment(one.created_at))]
            .filter((fact) => fact !== null)
            .join(' · ')}
          action={
            opened !== one.id && (
              <Button
                aria-label={messages.removeLinked(nameOf(one))}
                unavailable={offline}
                onClick={() => setOpened(one.id)}
              >
                {messages.remove}
              </Button>
            )
          }
        >
          {opened === one.id && (
            <ConfirmForm
              action={messages.removeLinked(nameOf(one))}
              isDangerous
              work={() => sync().call(endpoints.deleteLinkedSignIn, { path: { id: one.id } })}
              onDone={() => {
                toast(messages.linkedRemoved(nameOf(one)))
                close()
                void query.refetch()
              }}
              onCancel={close}
            >
              <p>{messages.removeLinkedText(nameOf(one))}</p>
            </ConfirmForm>
          )}
        </Setting>
      ))}
    </>
  )
}
