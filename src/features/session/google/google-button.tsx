import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useConnection } from '../../../sync/react/use-sync.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { useConfiguration } from '../cached-config.ts'
import { googleMessages as messages } from './messages.ts'
import { dropExpiredAuthRequest, goToGoogle } from './auth-request.ts'
import { linkToken } from '../link-token.ts'

/** Sign-in with Google, below a form. Loads nothing from Google before it is pressed. */
export function GoogleButton() {
  const configuration = useConfiguration()
  const { hash } = useLocation()
  const [params] = useSearchParams()
  const offline = useConnection() === 'offline'
  const [isBad, setIsBad] = useState(false)
  useEffect(dropExpiredAuthRequest, [])

  function go() {
    const invite = linkToken(hash, 'invite') === null ? '' : hash
    setIsBad(!goToGoogle(configuration, { redirect: params.get('redirect'), invite }))
  }

  return (
    <div className="mt-5 flex flex-col gap-5">
      <p className="flex items-center gap-3 text-sm text-ink-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </p>
      {isBad && <Notice tone="danger">{messages.badAddress}</Notice>}
      <Button
        className="min-h-11 w-full"
        unavailable={offline ? messages.offline : undefined}
        onClick={go}
      >
        <GoogleMark />
        {messages.action}
      </Button>
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
