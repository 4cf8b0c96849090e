// Saved views of the model server: personal, without a version, and the last write that arrives wins.
import { errorResponse, json, type ServerAnswer } from '../model-tenant.ts'

export type SavedViews = Map<string, { id: string } & Record<string, unknown>>

interface ViewWrite {
  method: string
  id: string
  body: Record<string, unknown>
  user_id: string
  /** Called when it takes effect. */
  applied: () => void
}

/** Identifies a view of a user. */
export const viewKey = (user_id: string, id: string): string => `${user_id} ${id}`

/** Answers a PUT or DELETE of a view. */
export function writeView(views: SavedViews, write: ViewWrite): ServerAnswer {
  const { method, id, body, user_id, applied } = write
  const key = viewKey(user_id, id)
  if (method === 'DELETE') {
    if (!views.has(key)) return errorResponse(404, 'Not found.')
    applied()
    views.delete(key)
    return { status: 204, headers: {}, text: '' }
  }
  applied()
  const view = { ...body, id }
  views.set(key, view)
  return json(200, { data: view })
}
