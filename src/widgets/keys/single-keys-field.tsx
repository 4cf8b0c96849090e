import { useSession } from '../../sync/react/use-sync.ts'
import { SwitchField } from '../../ui/form/switch-field.tsx'
import { setSingleKeys } from '../../ui/platform/set-single-keys.ts'
import { singleKeyMessages as messages } from './messages.ts'
import { useSingleKeys } from './use-single-keys.ts'

/** Turns the shortcuts of single keys on and off, for the signed-in user on this device. */
export function SingleKeysField() {
  const user_id = useSession()?.user.id ?? ''
  return (
    <SwitchField
      label={messages.label}
      hint={messages.hint}
      checked={useSingleKeys()}
      onChange={(wanted) => {
        setSingleKeys(user_id, wanted)
        // As the browser does in other tabs.
        window.dispatchEvent(new Event('storage'))
      }}
    />
  )
}
