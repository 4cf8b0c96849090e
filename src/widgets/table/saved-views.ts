// Views that the user has named: what a list shows and how, as the search part of its address. Kept on
// the device with the replica, and so removed by a sign-out. A server with the capability `views` keeps them
// as well: then each change is queued, and the server's views take the place of those of the device.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endpoints } from '../../../contract/endpoints.ts'
import { MAX_SAVED_VIEWS } from '../../../contract/schemas/settings.ts'
import { isCall } from '../../data/operations/operation-call.ts'
import { newId } from '../../sync/browser/new-id.ts'
import { sync } from '../../sync/client.ts'
import type { Operation } from '../../sync/core/operation.ts'
import type { Scope } from '../../sync/core/replica.ts'
import { isActive } from '../../sync/enqueue-all.ts'
import type { SentEntry } from '../../sync/core/sent-log.ts'
import { queryClient, queryKeyOf } from '../../sync/react/query-client.ts'
import { activeScope, replicaOf } from '../../sync/react/query-options.ts'
import { useCapability, useConnection } from '../../sync/react/use-sync.ts'

/** One view of a user in an organisation. */
export interface SavedView {
  id: string
  name: string
  /** See `view-lists.ts`. */
  search: string
  /** The server has it, or a queued change brings it there. */
  isShared?: boolean
}

const NAME = 'saved-views'
/** The ids of the sent changes that were there before the stored views were read. */
const KNOWN = 'saved-views known'

/** A change of the view with that id; without `view` its deletion. */
interface ViewChange {
  id: string
  view?: Omit<SavedView, 'id'> | undefined
}

/** The views after changes, in the order in which they were made: by their ids. */
function withChanges(views: readonly SavedView[], changes: readonly ViewChange[]) {
  const byId = new Map(views.map((view) => [view.id, view]))
  for (const { id, view } of changes)
    if (view) byId.set(id, { ...view, id })
    else byId.delete(id)
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** What calls change, as the outbox and the log of what was sent have them. */
const changesOf = (calls: readonly Pick<Operation, 'input'>[]): ViewChange[] =>
  calls.map(({ input }) => {
    // Safe cast: the outbox stores only bodies that the call's schema accepted.
    const body = input.body as Omit<SavedView, 'id'> | undefined
    return { id: input.path?.['id'] ?? '', view: body && { ...body, isShared: true } }
  })

const isOfViews = (call: Pick<Operation, 'endpoint' | 'organisation_id'>, scope: Scope) =>
  (isCall(call, 'putSavedView') || isCall(call, 'deleteSavedView')) &&
  call.organisation_id === scope.organisation_id

/** The changes that wait to be sent. From the outbox itself, as another tab may have made them. */
async function readWaiting(scope: Scope): Promise<Operation[]> {
  const all = await (await sync().engine()).outbox.all()
  return all.filter(
    (one) => isOfViews(one, scope) && one.user_id === scope.user_id && one.state !== 'acknowledged',
  )
}

/** The changes that the server has taken from this device, in the order in which they were made. */
async function readSent(scope: Scope): Promise<SentEntry[]> {
  const sent = await sync().recentlySent()
  return sent
    .filter((one) => isOfViews(one, scope) && !one.given_up)
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** The server's views as last read, and those that only this device has. */
const readStored = async (scope: Scope): Promise<readonly SavedView[]> =>
  ((await (await replicaOf(scope)).getValue(NAME)) ?? []) as SavedView[]

/** The stored views with what was sent since the server was asked, and what waits. */
async function readViews(scope: Scope): Promise<readonly SavedView[]> {
  // First what waits: what is sent meanwhile is in one of the two.
  const waiting = await readWaiting(scope)
  const sent = await readSent(scope)
  const known = (await (await replicaOf(scope)).getValue(KNOWN)) as string[] | undefined
  const since = sent.filter(({ id }) => known?.includes(id) !== true)
  return withChanges(await readStored(scope), changesOf([...since, ...waiting]))
}

const viewsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: queryKeyOf(scope, NAME),
    queryFn: async () => await readViews(scope),
    staleTime: Infinity,
    gcTime: Infinity,
  })

const show = async (scope: Scope): Promise<void> =>
  await queryClient.invalidateQueries({ queryKey: viewsQuery(scope).queryKey })

/** Serialises what reads the stored views and writes them. */
let lastWork: Promise<unknown> = Promise.resolve()

function inTurn(work: () => Promise<void>): Promise<void> {
  const result = lastWork.then(work, work)
  lastWork = result
  return result
}

async function enqueueView(id: string, { name, search }: Omit<SavedView, 'id'>): Promise<void> {
  await sync().enqueue(endpoints.putSavedView, { path: { id }, body: { name, search } })
}

/** Sends the views that only this device has, then reads those of the server. */
async function refresh(scope: Scope): Promise<void> {
  await inTurn(async () => {
    for (const { id, ...view } of await readViews(scope))
      if (!view.isShared && isActive(scope)) await enqueueView(id, view)
  })
  const known = (await readSent(scope)).map(({ id }) => id)
  const query = { per_page: MAX_SAVED_VIEWS }
  const { data } = await sync().call(endpoints.listSavedViews, { query })
  if (!isActive(scope)) return
  await inTurn(async () => {
    const replica = await replicaOf(scope)
    await replica.setValue(
      NAME,
      data.map((view) => ({ ...view, isShared: true })),
    )
    await replica.setValue(KNOWN, known)
    await show(scope)
  })
}

/** The saved views in the order in which they were made; undefined until they are read. */
export function useSavedViews(): readonly SavedView[] | undefined {
  const scope = activeScope()
  const { user_id, organisation_id } = scope
  const isShared = useCapability('views')
  const isOnline = useConnection() === 'online'
  useEffect(() => {
    // Those of the device stay where the server cannot be asked.
    if (isShared && isOnline) refresh({ user_id, organisation_id }).catch(() => undefined)
  }, [isShared, isOnline, user_id, organisation_id])
  useEffect(() => {
    let read: string | undefined
    const readChanged = () => {
      const changes = sync()
        .operations.get()
        .filter((one) => isOfViews(one, { user_id, organisation_id }))
      const now = changes.map(({ id, state }) => `${id} ${state}`).join()
      if (now !== read) void show({ user_id, organisation_id })
      read = now
    }
    readChanged()
    return sync().operations.subscribe(readChanged)
  }, [user_id, organisation_id])
  return useQuery(viewsQuery(scope)).data
}

async function change(id: string, view?: Omit<SavedView, 'id'>): Promise<void> {
  const scope = activeScope()
  const isShared = sync().capabilities.get()?.split(',').includes('views') === true
  await inTurn(async () => {
    if (isShared && view) await enqueueView(id, view)
    else if (isShared) await sync().enqueue(endpoints.deleteSavedView, { path: { id } })
    else {
      const views = withChanges(await readStored(scope), [{ id, view }])
      await (await replicaOf(scope)).setValue(NAME, views)
    }
    await show(scope)
  })
}

/** Saves a view under a name. */
export const saveView = (name: string, search: string): Promise<void> =>
  change(newId(), { name, search })

/** Gives a view another name. */
export const renameView = ({ id, search }: SavedView, name: string): Promise<void> =>
  change(id, { name, search })

/**
 * Deletes a view. Resolves to a function that restores it in its place, which resolves to whether it did: it does
 * nothing once another organisation or user is active.
 */
export async function deleteView({ id, name, search }: SavedView): Promise<() => Promise<boolean>> {
  const scope = activeScope()
  await change(id)
  return async () => {
    const isInTime = isActive(scope)
    if (isInTime) await change(id, { name, search })
    return isInTime
  }
}
