import { usePresence } from './use-away.ts'

/** Records when the user is active, for what is shown after an absence. Renders nothing. */
export function Presence() {
  usePresence()
  return null
}
