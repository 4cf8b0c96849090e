import { useEffect, useState, type ReactNode } from 'react'
import type { InferOutput } from 'valibot'
import { endpoints } from '../../../contract/endpoints.ts'
import type { LinkTokenDetails } from '../../../contract/schemas/invites.ts'
import type { LINKS } from '../../../contract/links.ts'
import { CallError, sync } from '../../sync/client.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { Bone, Skeleton } from '../../ui/display/skeleton.tsx'
import { accountMessages as messages } from './registration/account-messages.ts'

/** What an e-mailed link is valid for, with an empty address where that is not known; null if it is not valid. */
export type Facts = InferOutput<typeof LinkTokenDetails> | null

interface LinkFactsProps {
  kind: keyof typeof LINKS
  token: string
  children: (facts: Facts) => ReactNode
}

/** Checks an e-mailed link before the user fills in a form for nothing. */
export function LinkFacts(props: LinkFactsProps) {
  const [tries, setTries] = useState(0)
  return <LoadFacts key={tries} {...props} onRetry={() => setTries(tries + 1)} />
}

function LoadFacts({ kind, token, children, onRetry }: LinkFactsProps & { onRetry: () => void }) {
  const [facts, setFacts] = useState<Facts | 'unreachable'>()

  useEffect(() => {
    let mounted = true
    void requestFacts(kind, token).then((answer) => mounted && setFacts(answer))
    return () => {
      mounted = false
    }
  }, [kind, token])

  if (facts === 'unreachable')
    return (
      <Empty
        scene="fog"
        level={1}
        title={messages.unreachableTitle}
        action={<Button onClick={onRetry}>{messages.retry}</Button>}
      >
        {messages.unreachable}
      </Empty>
    )
  if (facts !== undefined) return children(facts)
  return (
    <Skeleton label={messages.checkingLink}>
      <Bone className="h-8 w-3/5" />
      <Bone className="mt-3 h-4 w-4/5" />
      <Bone className="mt-8 h-10 w-full" />
      <Bone className="mt-6 h-10 w-full" />
    </Skeleton>
  )
}

/** Without facts in an answer of 2xx the form decides: the server has at least not refused the link. */
async function requestFacts(kind: string, token: string): Promise<Facts | 'unreachable'> {
  try {
    const facts = await sync().call(endpoints.verifyToken, { body: { token } })
    return facts.type === kind ? facts : null
  } catch (problem) {
    if (problem instanceof CallError && problem.isTaken)
      return { type: kind, email: '', organisation: null }
    return isOver(problem) ? null : 'unreachable'
  }
}

/** Whether the link is refused. Another refusal is about the request: its tokens, its organisation or the password. */
export const isOver = (problem: unknown): boolean =>
  problem instanceof CallError &&
  [404, 410, 422].includes(problem.status ?? 0) &&
  !problem.errors.password
