// What a page without HTTPS tells its user. Loaded only there.
import { Notice } from '../../ui/display/notice.tsx'
import { plainHttpMessages as messages } from './plain-http-messages.ts'

/** Others on the network can read the password. */
export function UnprotectedPassword() {
  return <Notice tone="warn">{messages.password}</Notice>
}

/** Above the screens of a signed-in user: what is missing, and how to get it. */
export function OnlineOnly() {
  return <p className="mb-4 text-sm text-ink-muted">{messages.onlineOnly}</p>
}
