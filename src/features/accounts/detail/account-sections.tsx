// What the page of an account and its preview have in common.
import { useMemo, useState } from 'react'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import { isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { fieldName } from '../../../data/operations/field-labels.ts'
import { useActions } from '../../../data/actions.ts'
import { usePeople } from '../../../data/organisations/use-people.ts'
import { useToday } from '../../../data/organisations/use-today.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useUnreadList } from '../../../widgets/screen-states/use-unread-list.ts'
import { useUpdatesOfPlans } from '../../../data/success-plans/updates-of-plans.ts'
import { ActionNeed } from '../../home/need-rows.tsx'
import { NeedSection } from '../../home/need-section.tsx'
import { nextActions } from '../../renewals/account-risk.ts'
import { accountMessages as messages, accountPageMessages } from '../messages.ts'
import { personText } from '../../../data/organisations/person-name.ts'

const NONE: readonly never[] = []

/** The plans of an account, open ones first, and their updates, newest first; `unread` where plans may be missing. */
export function useAccountWork(account: Account) {
  const { query, plans } = usePlans()
  const unread = useUnreadList([{ collection: 'success_plans', query }])
  const isRead = !unread
  const own = useMemo(() => {
    const known = plans
      ?.filter((plan) => plan.account_id === account.id)
      .toSorted(
        (a, b) =>
          Number(isPlanOpen(b)) - Number(isPlanOpen(a)) ||
          ((a.end_date ?? '') < (b.end_date ?? '') ? 1 : -1),
      )
    return known?.length === 0 && !isRead ? undefined : known
  }, [plans, account.id, isRead])
  const { entries, missing } = useUpdatesOfPlans(own ?? NONE)
  const people = usePeople()
  const nameOf = (user_id: string | null) => people?.get(user_id ?? '')?.name
  const authorOf = (user_id: string | null) => personText(people, user_id)
  const today = useToday()
  // Without the plans it is not known either whether there are updates.
  return { own, unread, entries: own && entries, missing, nameOf, authorOf, today }
}

interface NextActionsProps {
  account: Account
  plans: readonly SuccessPlan[]
  nameOf: (user_id: string | null) => string | undefined
  today: string
}

/** The open actions of the account and its plans, the next due first. */
export function NextActions({ account, plans, nameOf, today }: NextActionsProps) {
  const { actions = NONE } = useActions()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const next = useMemo(
    () => nextActions(actions, account.id, plans, ticked),
    [actions, account.id, plans, ticked],
  )
  const row = (action: Action) => (
    <ActionNeed
      action={action}
      plan={plans.find(({ id }) => id === action.success_plan_id)}
      assignee={nameOf(action.assignee_id) ?? action.assignee_contact?.name}
      today={today}
      onTick={() => setTicked((known) => new Set(known).add(action.id))}
    />
  )
  return (
    <NeedSection
      title={accountPageMessages.nextActions}
      items={next}
      keyOf={({ id }) => id}
      row={row}
    />
  )
}

/** What is stored of the account itself. */
export function AccountFacts({ account }: { account: Account }) {
  const owner = usePeople()?.get(account.owner_id ?? '')
  const rows: [keyof Account, React.ReactNode][] = [
    ['status', messages.enumLabel(account.status)],
    ['tier', account.tier && messages.enumLabel(account.tier)],
    ['industry', account.industry],
    ['owner_id', owner?.name],
    ['website', account.website && <Website key="website" address={account.website} />],
    ['tags', account.tags.join(', ')],
  ]
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-ink-muted">{fieldName(name)}</dt>
              <dd className="break-words tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A link only for http and https URLs: a stored value could be anything. */
function Website({ address }: { address: string }) {
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      className="text-accent underline underline-offset-4"
    >
      {address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
      <span className="sr-only"> {messages.opensNew}</span>
    </a>
  )
}
