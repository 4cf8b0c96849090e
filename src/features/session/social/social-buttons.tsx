import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useConnection } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { errorMessage } from '../../../widgets/editing/error-message.ts'
import { useConfiguration } from '../cached-config.ts'
import { socialMessages as messages } from './messages.ts'
import { dropExpiredAuthRequest, goToGoogle, goToIssuer } from './auth-request.ts'
import { linkToken } from '../link-token.ts'

/** Sign-in with other providers, below a form. Loads nothing from them before a button is pressed. */
export function SocialButtons() {
  const configuration = useConfiguration()
  const { googleAuthorizationUrl, oidcName } = configuration
  const { hash } = useLocation()
  const [params] = useSearchParams()
  const unavailable = useConnection() === 'offline' ? messages.offline : undefined
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(dropExpiredAuthRequest, [])
  const intent = () => ({
    redirect: params.get('redirect'),
    invite: linkToken(hash, 'invite') === null ? '' : hash,
  })

  function goGoogle() {
    if (!goToGoogle(configuration, intent())) setFailure(messages.badAddress(messages.google))
  }

  async function goOther(name: string) {
    setFailure(undefined)
    setBusy(true)
    try {
      if (await goToIssuer(intent())) return
      setFailure(messages.badAddress(name))
    } catch (problem) {
      setFailure(errorMessage(problem))
    }
    setBusy(false)
  }

  return (
    <div className="mt-5 flex flex-col gap-5">
      <p className="flex items-center gap-3 text-sm text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </p>
      {failure !== undefined && <Notice tone="danger">{failure}</Notice>}
      {googleAuthorizationUrl && (
        <Button className="min-h-11 w-full" unavailable={unavailable} onClick={goGoogle}>
          <GoogleMark />
          {messages.action(messages.google)}
        </Button>
      )}
      {oidcName && (
        <Button
          className="min-h-11 w-full"
          busy={busy}
          unavailable={unavailable}
          onClick={() => void goOther(oidcName)}
        >
          {messages.action(oidcName)}
        </Button>
      )}
    </div>
  )
}

/** Google's logo. */
function GoogleMark() {
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="none" strokeWidth="4.4">
      <path d="M18.4 6.2A8.6 8.6 0 0 0 4.7 7.5" className="stroke-[#ea4335]" />
      <path d="M4.7 7.5a8.6 8.6 0 0 0 0 9" className="stroke-[#fbbc05]" />
      <path d="M4.7 16.5a8.6 8.6 0 0 0 12.8 2.1" className="stroke-[#34a853]" />
      <path d="M12 12h8.6a8.6 8.6 0 0 1-3.1 6.6" className="stroke-[#4285f4]" />
    </svg>
  )
}
