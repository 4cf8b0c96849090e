// The floor of scrolling and of searches with React: the app's own rows, list and options, with ten thousand
// plans in memory, and nothing else.
import { Route } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { PaletteOption } from '../../../src/app/palette/palette-option.tsx'
import { PLAN_ROW_HEIGHT, PlanRow } from '../../../src/features/success-plans/list/plan-row.tsx'
import { LongList } from '../../../src/ui/list/long-list.tsx'
import { StatusTag } from '../../../src/widgets/status/tags.tsx'
import '../../../src/ui/tokens.css'

type Plan = SuccessPlan & { account: string }
interface Records {
  plans: Plan[]
  accounts: Account[]
  updates: SuccessPlanUpdate[]
}

const MOST = { plans: 8, accounts: 4, updates: 4 }
const now = Date.now()
const today = new Date(now).toISOString().slice(0, 10)
const ignore = () => undefined
const idOf = ({ id }: Plan) => id
const row = (plan: Plan) => (
  <PlanRow
    plan={plan}
    account={plan.account}
    today={today}
    now={now}
    pending={undefined}
    rows={undefined}
  />
)

function first<T>(
  records: readonly T[],
  most: number,
  textOf: (record: T) => string,
  sought: string,
) {
  const found: T[] = []
  for (const record of records) {
    if (found.length === most) break
    if (textOf(record).toLowerCase().includes(sought)) found.push(record)
  }
  return found
}

function List({ plans }: { plans: readonly Plan[] }) {
  const [typed, setTyped] = useState('')
  const left = useMemo(() => {
    const sought = typed.trim().toLowerCase()
    const has = (text: string) => text.toLowerCase().includes(sought)
    return plans.filter(({ title, account }) => has(title) || has(account))
  }, [plans, typed])
  return (
    <>
      <input
        type="search"
        aria-label="Search by title or account"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <LongList
        label="Success plans"
        items={left}
        idOf={idOf}
        row={row}
        className="border-t border-line"
        rowClassName={PLAN_ROW_HEIGHT}
      />
    </>
  )
}

function Palette({ plans, accounts, updates }: Records) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const options = useMemo(() => {
    const sought = typed.trim().toLowerCase()
    if (sought === '') return []
    return [
      ...first(plans, MOST.plans, ({ title }) => title, sought).map((plan) => ({
        key: plan.id,
        label: plan.title,
        aside: (
          <>
            <StatusTag status={plan.status} />
            <time dateTime={plan.end_date ?? ''}>{plan.end_date}</time>
            <span>{plan.progress} %</span>
          </>
        ),
      })),
      ...first(accounts, MOST.accounts, ({ name }) => name, sought).map(({ id, name }) => ({
        key: id,
        label: name,
      })),
      ...first(updates, MOST.updates, ({ body }) => body, sought).map(({ id, body }) => ({
        key: id,
        label: body,
      })),
    ]
  }, [plans, accounts, updates, typed])
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === 'k' && event.ctrlKey) dialog.current?.showModal()
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <dialog ref={dialog} aria-label="Command palette">
      <input
        role="combobox"
        aria-expanded
        aria-controls="options"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id="options" role="listbox" tabIndex={-1}>
        {options.map((option) => (
          <PaletteOption
            key={option.key}
            id={option.key}
            item={{ icon: Route, run: ignore, ...option }}
            selected={false}
            onSelect={ignore}
          />
        ))}
      </div>
    </dialog>
  )
}

const records = (await (await fetch('/records.json')).json()) as Records
createRoot(document.getElementById('root') ?? document.body).render(
  <MemoryRouter>
    <List plans={records.plans} />
    <Palette {...records} />
  </MemoryRouter>,
)
