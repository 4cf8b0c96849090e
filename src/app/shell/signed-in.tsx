import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { isWorkUnsent, signOut } from '../sync-centre/sign-out.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { SHEETS } from './sheets.ts'
import { appMessages as messages } from './messages.ts'

/** The way to sign out on screens without the user menu. */
export function SignedIn() {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const Sheet = SHEETS['sign-out']
  async function leave() {
    if (await isWorkUnsent()) setAsking(true)
    else await signOut(navigate, 'keep')
  }
  return (
    <>
      <Button variant="quiet" onClick={() => void leave()}>
        {messages.signOut}
      </Button>
      <ErrorBoundary onFailed={() => setAsking(false)}>
        <Suspense>{asking && <Sheet onClose={() => setAsking(false)} />}</Suspense>
      </ErrorBoundary>
    </>
  )
}
