import { useState } from 'react'
import { useSession } from '../../sync/react/use-sync.ts'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { hasSingleKeys, setSingleKeys } from '../../ui/platform/single-keys.ts'
import { singleKeyMessages as messages } from './messages.ts'

/** Turns the shortcuts of single keys on and off, for the signed-in user on this device. */
export function SingleKeysField() {
  const user_id = useSession()?.user.id ?? ''
  const [on, setOn] = useState(() => hasSingleKeys(user_id))
  return (
    <SwitchField
      label={messages.label}
      hint={messages.hint}
      checked={on}
      onChange={(wanted) => {
        setSingleKeys(user_id, wanted)
        setOn(wanted)
      }}
    />
  )
}
