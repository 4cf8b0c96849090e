// The saved views of a member: names for what a list shows. Personal, so no version of the organisation grows.
import { endpoints } from '../../contract/endpoints.ts'
import { MAX_SAVED_VIEWS } from '../../contract/schemas/settings.ts'
import type { Tx } from '../database/connection.ts'
import { invalid, notFound } from '../errors/http-error.ts'
import { findPage } from '../http/list-query.ts'
import { memberRoute } from '../http/route.ts'

const viewsOf = (tx: Tx, organisation_id: string, user_id: string) =>
  tx
    .selectFrom('saved_views')
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)

/** `GET /api/v1/saved-views`: the views of the caller in the organisation. */
export const listSavedViews = memberRoute(
  endpoints.listSavedViews,
  async ({ tx, organisation, user, query }) =>
    await findPage(viewsOf(tx, organisation.id, user.id).select(['id', 'name', 'search']), {
      query,
      // Ids of the app grow with time.
      sort: 'id',
      present: (view) => view,
    }),
)

/** `PUT /api/v1/saved-views/{id}`: makes or replaces a view; the last write wins. 422 above 50 views. */
export const putSavedView = memberRoute(
  endpoints.putSavedView,
  async ({ tx, organisation, user, path: { id }, body }) => {
    const others = await viewsOf(tx, organisation.id, user.id)
      .where('id', '!=', id)
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (others.count >= MAX_SAVED_VIEWS)
      throw invalid({ name: [`There is room for ${MAX_SAVED_VIEWS} saved views. Delete one.`] })
    await tx
      .insertInto('saved_views')
      .values({ organisation_id: organisation.id, user_id: user.id, id, ...body })
      .onConflict((row) => row.columns(['organisation_id', 'user_id', 'id']).doUpdateSet(body))
      .execute()
    return { data: { id, ...body } }
  },
)

/** `DELETE /api/v1/saved-views/{id}`: 204. 404 where the caller has no such view. */
export const deleteSavedView = memberRoute(
  endpoints.deleteSavedView,
  async ({ tx, organisation, user, path: { id } }) => {
    const { numDeletedRows } = await tx
      .deleteFrom('saved_views')
      .where('organisation_id', '=', organisation.id)
      .where('user_id', '=', user.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound()
  },
)
