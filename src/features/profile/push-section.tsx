import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  NotificationConsents,
  NotificationConsentsEdit,
} from '../../../contract/schemas/settings.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { isIos, useInstallState } from '../../ui/platform/install.ts'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { readPushFacts, turnPushOff, turnPushOn } from './push-device.ts'
import { pushState, type PushState } from './push-state.ts'
import { pushMessages as messages } from './messages.ts'

interface PushSectionProps {
  user_id: string
  push: NotificationConsents['push']
  onChange: (push: NotificationConsentsEdit['push']) => void
}

/** Turns notifications on this device on and off; nothing if the server sends none. */
export function PushSection({ user_id, push, onChange }: PushSectionProps) {
  const installing = useInstallState()
  const offline = useConnection() === 'offline'
  const [busy, setBusy] = useState(false)
  const facts = useQuery({
    queryKey: [user_id, '', 'push-facts', offline],
    queryFn: readPushFacts,
    gcTime: 0,
  })
  if (!facts.data) return <div className="min-h-32" />
  const { key } = facts.data
  const state = pushState({
    ...facts.data,
    ios: isIos(),
    installed: installing === 'installed',
  })
  if (state === 'absent') return null

  async function change(work: () => Promise<void>) {
    setBusy(true)
    try {
      await work()
    } catch (problem) {
      toast(problem instanceof DOMException ? messages.failed : messages.notRegistered)
    }
    await facts.refetch()
    setBusy(false)
  }

  return (
    <section aria-labelledby="push" className="mt-8">
      <h2 id="push" className="border-b border-line pb-2 text-lg">
        {messages.title}
      </h2>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line py-4">
        <output className="min-w-0 flex-1 basis-64 text-sm text-pretty text-ink-muted">
          <span className="block font-semibold text-ink">{messages.states[state].title}</span>
          {messages.states[state].text}
        </output>
        <PushToggle
          state={state}
          busy={busy}
          offline={offline}
          onTurnOn={() => void change(() => turnPushOn(key ?? ''))}
          onTurnOff={() => void change(turnPushOff)}
        />
      </div>
      {state === 'on' &&
        (['plan_update', 'action_due', 'action_overdue'] as const).map((kind) => (
          <SwitchField
            key={kind}
            {...messages.kinds[kind]}
            checked={push[kind]}
            onChange={(wanted) => onChange({ [kind]: wanted })}
          />
        ))}
    </section>
  )
}

interface PushToggleProps {
  state: PushState
  busy: boolean
  offline: boolean
  onTurnOn: () => void
  onTurnOff: () => void
}

/** The button that turns notifications on or off, if that is possible here. */
function PushToggle({ state, busy, offline, onTurnOn, onTurnOff }: PushToggleProps) {
  const unavailable = offline ? messages.offline : undefined
  if (state === 'ask' || state === 'off')
    return (
      <Button variant="primary" busy={busy} unavailable={unavailable} onClick={onTurnOn}>
        {messages.turnOn}
      </Button>
    )
  if (state !== 'on') return null
  return (
    <Button busy={busy} onClick={onTurnOff}>
      {messages.turnOff}
    </Button>
  )
}
