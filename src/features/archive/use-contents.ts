import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import { useAccounts } from '../../data/accounts.ts'
import { useActions } from '../../data/actions.ts'
import { useInitiatives } from '../../data/initiatives.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { useUpdatesOfPlans } from '../../data/success-plans/updates-of-plans.ts'
import { useTemplates } from '../../data/templates.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import type { Contents } from './format.ts'

const NONE: readonly never[] = []

/**
 * The active organisation as it is on this device, with what waits to be sent; undefined while it is read.
 * `isUnreadable`: some of it could be read neither here nor from the server. `plansWithoutUpdates` are the ids of
 * plans whose updates were never downloaded.
 */
export function useContents(): {
  contents: Contents | undefined
  isUnreadable: boolean
  plansWithoutUpdates: readonly string[]
} {
  const { query: accountsQuery, accounts } = useAccounts()
  const { query: plansQuery, plans } = usePlans()
  const { query, work } = useInitiatives()
  const { query: actionsQuery, actions } = useActions()
  const hasTemplates = useCapability('templates')
  const { query: templatesQuery, templates } = useTemplates()
  const membersResult = useQuery(membersQuery())
  const members = membersResult.data
  const hasFormer = useCapability('handover')
  const former = useQuery({ ...recordsQuery('former_members'), enabled: hasFormer }).data
  const { entries, missing } = useUpdatesOfPlans(plans ?? NONE)
  const { isRead } = query
  const contents = useMemo(() => {
    // What waits to be sent shows before what the server has is read: that alone is not all.
    if (!isRead || !accounts || !plans || !work || !actions || !members || !entries)
      return undefined
    if ((hasTemplates && !templates) || (hasFormer && !former)) return undefined
    return {
      people: [
        // A user who is a member again comes second and replaces the former entry.
        ...(former ?? []).map(({ user_id, name }) => ({ id: user_id, name, email: '' })),
        ...members.map(({ user_id, name, email }) => ({ id: user_id, name, email })),
      ],
      accounts,
      success_plans: plans,
      success_plan_updates: entries.map(({ update }) => update).toSorted(byArrival),
      initiatives: work.initiatives.map(({ initiative }) => initiative),
      actions,
      templates: templates ?? NONE,
    }
  }, [
    isRead,
    accounts,
    plans,
    work,
    actions,
    members,
    entries,
    hasTemplates,
    templates,
    hasFormer,
    former,
  ])
  const isUnreadable =
    contents === undefined &&
    ([query, accountsQuery, plansQuery, actionsQuery, membersResult].some(
      ({ isError }) => isError,
    ) ||
      (hasTemplates && templatesQuery.isError))
  return { contents, isUnreadable, plansWithoutUpdates: missing }
}

/** In the order in which the server took them; what it does not have comes last, as it was written. */
const byArrival = (a: SuccessPlanUpdate, b: SuccessPlanUpdate): number =>
  (a.version || Infinity) - (b.version || Infinity) ||
  Date.parse(a.written_at) - Date.parse(b.written_at) ||
  0
