import { useEffect, useState } from 'react'
import { sync } from '../../../sync/client.ts'
import { SelectField } from '../../../ui/form/field.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { Setting } from './security-section.tsx'
import { securityMessages as messages } from './security-messages.ts'

const CHOICES = [7, 14, 30]

/** Whether this device forgets its user after days without contact. Stored on the device, so it needs no network. */
export function ForgetDevice() {
  /** Undefined until the stored choice was read. */
  const [choice, setChoice] = useState<{ days: number | undefined }>()
  useEffect(() => {
    let isMounted = true
    let unsubscribe = () => {}
    void sync()
      .start()
      .then(() => sync().engine())
      .then(({ session }) => {
        if (!isMounted) return
        const show = () => setChoice({ days: session.contact.days })
        show()
        // Another tab may change it.
        unsubscribe = session.subscribe(show)
      })
      // Without the engine the choice is not known, and cannot be changed.
      .catch(() => undefined)
    return () => {
      isMounted = false
      unsubscribe()
    }
  }, [])

  async function choose(chosen: number | undefined) {
    try {
      await (await sync().engine()).session.forgetAfter(chosen)
      toast(chosen === undefined ? messages.forgetNever : messages.forgetChosen(chosen))
    } catch {
      toast(messages.forgetFailed)
    }
  }

  return (
    <Setting
      title={messages.forget}
      text={messages.forgetText}
      action={
        <SelectField
          label={messages.forgetAfter}
          labelHidden
          disabled={!choice}
          value={choice?.days ?? ''}
          onChange={({ target }) => void choose(Number(target.value) || undefined)}
        >
          <option value="">{choice ? messages.never : '–'}</option>
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {messages.days(choice)}
            </option>
          ))}
        </SelectField>
      }
    />
  )
}
