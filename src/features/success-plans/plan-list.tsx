import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { SuccessPlan } from '../../../contract/success-plans.ts'
import { PlanRow } from './plan-row.tsx'
import { useNames } from './use-names.ts'
import { useWaitingPlans } from './use-plans.ts'
import { planWords } from './words.ts'

/** Below this many rows the browser lays all of them out, and its own search finds them. */
const FEW = 60
/** Pixels; measured once a row is on the screen. */
const ROW_ON_DESK = 73
const ROW_ON_PHONE = 121

interface PlanListProps {
  plans: readonly SuccessPlan[]
  today: string
  now: number
  /** On the page of the account that all of them are for. */
  ofOneAccount?: boolean
}

/** The plans as a list of links; a long one draws only what is near the window. */
export function PlanList({ plans, today, now, ofOneAccount = false }: PlanListProps) {
  const nameOf = useNames()
  const waiting = useWaitingPlans()
  const row = (plan: SuccessPlan) => (
    <PlanRow
      plan={plan}
      account={ofOneAccount ? '' : nameOf(plan.account_id)}
      owner={nameOf(plan.owner_id)}
      today={today}
      now={now}
      waiting={waiting.get(plan.id)}
    />
  )
  if (plans.length <= FEW)
    return (
      <ul aria-label={planWords.listLabel} className="@container border-t border-line">
        {plans.map((plan) => (
          <li key={plan.id}>{row(plan)}</li>
        ))}
      </ul>
    )
  return <LongList plans={plans} row={row} />
}

function LongList(props: {
  plans: readonly SuccessPlan[]
  row: (plan: SuccessPlan) => React.ReactNode
}) {
  const { plans, row } = props
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect().top ?? 0
    setTop(place + window.scrollY)
  }, [])
  // Its functions change what they answer; nothing here is memoised by them.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: plans.length,
    estimateSize: () => (window.innerWidth >= 1024 ? ROW_ON_DESK : ROW_ON_PHONE),
    getItemKey: (index) => plans[index]?.id ?? index,
    overscan: 12,
    scrollMargin: top,
  })
  return (
    <ul
      ref={list}
      aria-label={planWords.listLabel}
      style={{ height: virtualizer.getTotalSize() }}
      className="@container relative border-t border-line"
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const plan = plans[index]
        return (
          plan && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={plans.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
              className="absolute inset-x-0 top-0"
            >
              {row(plan)}
            </li>
          )
        )
      })}
    </ul>
  )
}
