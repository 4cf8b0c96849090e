import { useQuery } from '@tanstack/react-query'
import { format } from 'date-fns/format'
import { getMany, setMany } from 'idb-keyval'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'

type Plan = SuccessPlan & { account: string; end_date: string }

const SHOWN = 20
const ROW = 121
const PAGES = Array.from({ length: 64 }, (_, page) => page)

/** The plans in IndexedDB; on the first visit those from the network. */
async function readPlans(): Promise<Plan[]> {
  const stored = (await getMany<Plan[] | undefined>(PAGES)).flatMap((page) => page ?? [])
  if (stored.length > 0) return stored
  const received = (await (await fetch('/plans.json')).json()) as Plan[]
  await setMany(
    PAGES.map((page) => [page, received.filter((_, index) => index % PAGES.length === page)]),
  )
  return received
}

const byEnd = (plans: Plan[]) => plans.toSorted((a, b) => (a.end_date < b.end_date ? -1 : 1))

export default function Plans() {
  const { data = [] } = useQuery({ queryKey: ['plans'], queryFn: readPlans, select: byEnd })
  return (
    <ul style={{ height: data.length * ROW }}>
      {data.slice(0, SHOWN).map((plan) => (
        <li key={plan.id}>
          <Link to={`/success-plans/${plan.id}`} data-plan={plan.id}>
            <span>{plan.title}</span>
            <span>{plan.account}</span>
            <span>{plan.health}</span>
            <span>{plan.status}</span>
            <span>{format(plan.end_date, 'd MMM yyyy')}</span>
            <span>{plan.progress} %</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
