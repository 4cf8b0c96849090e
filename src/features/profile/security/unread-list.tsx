import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { useOfflineReason } from './security-section.tsx'
import { securityMessages as messages } from './security-messages.ts'

type Query = Pick<UseQueryResult, 'data' | 'isError' | 'isLoading' | 'refetch'>

/** Why a list is not there: no network, or it is loading or could not be loaded. Nothing once it is there. */
export function UnreadList({ query }: { query: Query }) {
  const offline = useOfflineReason()
  return (
    <>
      {offline !== undefined && !query.data && (
        <p className="text-sm text-ink-muted">{messages.offline}</p>
      )}
      {query.isError && (
        <div className="mt-3">
          <Notice action={<Button onClick={() => void query.refetch()}>{messages.retry}</Button>}>
            {messages.failed}
          </Notice>
        </div>
      )}
      {query.isLoading && <SkeletonRows label={messages.loading} rows={2} />}
    </>
  )
}
