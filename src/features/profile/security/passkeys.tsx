import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { endpoints } from '../../../../contract/endpoints.ts'
import type { User } from '../../../../contract/schemas/people.ts'
import { sync } from '../../../sync/client.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { ago, moment } from '../../../ui/text/dates.ts'
import { ConfirmForm } from './confirm-form.tsx'
import { Setting, useOfflineReason } from './security-section.tsx'
import { UnreadList } from './unread-list.tsx'
import { passkeyMessages as messages } from './passkey-messages.ts'

/** Passkeys of the user: the list, one more, and the end of one. */
export function Passkeys({ user }: { user: User }) {
  const offline = useOfflineReason()
  /** The form that is open: `add`, or the id of a passkey to remove. */
  const [opened, setOpened] = useState<string>()
  const query = useQuery({
    queryKey: [user.id, '', 'passkeys', offline],
    queryFn: async () => (await sync().call(endpoints.listPasskeys, {})).data,
    gcTime: 0,
    enabled: offline === undefined,
  })
  const close = () => setOpened(undefined)
  const done = (text: string) => {
    toast(text)
    close()
    void query.refetch()
  }

  return (
    <>
      <Setting
        title={messages.title}
        text={messages.text}
        action={
          opened !== 'add' && (
            <Button unavailable={offline} onClick={() => setOpened('add')}>
              {messages.add}
            </Button>
          )
        }
      >
        {opened === 'add' && (
          <ConfirmForm
            action={messages.add}
            work={async () => {
              const { makePasskey } = await import('../../session/passkeys/make-passkey.ts')
              await makePasskey(user)
            }}
            onDone={() => done(messages.added)}
            onCancel={close}
          >
            <p>{messages.addText}</p>
          </ConfirmForm>
        )}
        <UnreadList query={query} />
      </Setting>
      {query.data?.map(({ id, name, created_at, last_used_at }) => (
        <Setting
          key={id}
          title={messages.on(name)}
          text={
            last_used_at === null
              ? messages.addedAt(moment(created_at))
              : messages.lastUsed(ago(last_used_at))
          }
          action={
            opened !== id && (
              <Button
                aria-label={messages.removeOn(name)}
                unavailable={offline}
                onClick={() => setOpened(id)}
              >
                {messages.remove}
              </Button>
            )
          }
        >
          {opened === id && (
            <ConfirmForm
              action={messages.removeOn(name)}
              isDangerous
              work={() => sync().call(endpoints.deletePasskey, { path: { id } })}
              onDone={() => done(messages.removed)}
              onCancel={close}
            >
              <p>{messages.removeText}</p>
            </ConfirmForm>
          )}
        </Setting>
      ))}
    </>
  )
}
