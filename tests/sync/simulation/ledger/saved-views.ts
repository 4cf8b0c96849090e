// Saved views have no version: the server has each as its author left it.
import { isDeepStrictEqual } from 'node:util'
import type { ModelServer } from '../model-server.ts'
import { viewKey } from '../model/saved-views.ts'
import type { Fields, LedgerEntry } from '../record-types.ts'

interface ViewInput {
  path: { id: string }
  body?: Fields
}

const isOfView = ({ endpoint }: LedgerEntry) =>
  endpoint === 'putSavedView' || endpoint === 'deleteSavedView'

const inputOf = ({ input }: LedgerEntry) => JSON.parse(input) as ViewInput

/** Describes a view that the server has otherwise than its author left it; undefined without one. */
export function wrongView(entries: Iterable<LedgerEntry>, server: ModelServer): string | undefined {
  const byView = Map.groupBy([...entries].filter(isOfView), (one) =>
    JSON.stringify([one.organisation_id, viewKey(one.user_id, inputOf(one).path.id)]),
  )
  for (const [place, all] of byView) {
    const arrived = all.filter(({ applied }) => applied > 0)
    const last = arrived.toSorted((a, b) => a.order - b.order).at(-1)
    // What its author gave up, or sent again after a refusal, may have arrived at any time.
    if (!last || all.some((one) => one.rejected || (one.discarded && one.applied > 0))) continue
    const [organisation_id = '', key = ''] = JSON.parse(place) as string[]
    const view = server.tenants.get(organisation_id)?.views.get(key)
    const { path, body } = inputOf(last)
    if (!isDeepStrictEqual(view, body && { ...body, id: path.id }))
      return `the view ${key} is not as “${last.text}” left it`
  }
  return undefined
}
