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
import type { ServerReport } from '../../sync/core/pull/read-report.ts'
import { sync } from '../../sync/client.ts'
import { useCapability, useReadReport } from '../../sync/react/use-sync.ts'
import { cachedConfig } from '../session/cached-config.ts'
import { RECORD_COLLECTIONS, type Contents, type Unread } from './format.ts'

const NONE: readonly never[] = []

/** The base URLs of the API: the present one and earlier ones. None before one is known. */
export function apiAddresses(): string[] {
  // The configuration can be lost in a crash.
  const { apiBaseUrl = sync().storedSession.get().api, formerApiBaseUrls = [] } = cachedConfig.get()
  if (apiBaseUrl === undefined) return []
  return [apiBaseUrl, ...formerApiBaseUrls].map((url) =>
    (/^https?:/i.test(url) ? url : location.origin + url).replace(/\/+$/, ''),
  )
}

/**
 * The active organisation as it is on this device, with what waits to be sent; undefined while it is read.
 * `isUnreadable`: some of it could be read neither here nor from the server. `plansWithoutUpdates` are the ids of
 * plans whose updates were never downloaded to their end. `unread`: how much is missing, or older than the rest.
 */
export function useContents(): {
  contents: Contents | undefined
  isUnreadable: boolean
  plansWithoutUpdates: readonly string[]
  unread: Unread
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
  const { entries, isComplete, missing } = useUpdatesOfPlans(plans ?? NONE)
  const { isRead } = query
  const contents = useMemo(() => {
    // What waits to be sent shows before what the server has is read: that alone is not all.
    if (!isRead || !accounts || !plans || !work || !actions || !members || !entries || !isComplete)
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
    isComplete,
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
  const report = useReadReport()
  const unread = useMemo(() => unreadOf(report), [report])
  return { contents, isUnreadable, plansWithoutUpdates: missing, unread }
}

const ARCHIVED = new Set<string>([...RECORD_COLLECTIONS, 'organisation_users', 'former_members'])

/** How much of what an archive has could not be read. */
export function unreadOf({ unread, refused, partial = [] }: ServerReport): Unread {
  const own = unread.filter(({ collection }) => ARCHIVED.has(collection))
  const [records = [], fields = []] = ['record', 'field'].map((kind) =>
    own.filter(({ leftOut }) => leftOut === kind),
  )
  const lists = [...Object.keys(refused), ...partial].filter((name) => ARCHIVED.has(name))
  return {
    // Several fields of one can be wrong.
    records: new Set(records.map(({ collection, id }, at) => `${collection} ${id ?? at}`)).size,
    fields: fields.length,
    lists: new Set(lists).size,
  }
}

/** In the order in which the server took them; what it does not have comes last, as it was written. */
const byArrival = (a: SuccessPlanUpdate, b: SuccessPlanUpdate): number =>
  (a.version || Infinity) - (b.version || Infinity) ||
  Date.parse(a.written_at) - Date.parse(b.written_at) ||
  0
