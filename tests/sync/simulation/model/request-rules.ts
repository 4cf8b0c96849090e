// What the model server checks before a write: valid fields, and ids that were used before.
import {
  ModelTenant,
  errorResponse,
  json,
  type Collection,
  type ServerAnswer,
} from '../model-tenant.ts'

type Body = Record<string, string | undefined>

/** The text by which a reader recognises an operation. */
export const textOf = (body: unknown): string => {
  const { renewal_outcome, ...fields } = (body ?? {}) as Record<string, string> & {
    renewal_outcome?: { note: string }
  }
  const named = ['body', 'title', 'name', 'description', 'success_criteria']
  const name = named.find((one) => fields[one] !== undefined) ?? ''
  return fields[name] ?? renewal_outcome?.note ?? `nothing but ${fields.id}`
}

/** The fields of a new plan that its draft may leave out. */
export const NEW_PLAN = {
  status: 'planned',
  progress: 0,
  description: null,
  success_criteria: null,
  health: null,
  outcome: null,
  close_note: null,
  end_date: null,
}

/** The fields that a request names itself, without what follows from them. */
export const namedIn = (set: Record<string, unknown>, body: object) =>
  Object.fromEntries(Object.entries(set).filter(([name]) => name in body))

/** Texts with this word are rejected as invalid. */
export const INVALID = 'invalid'

/** A plan needs an account, unless it is a project. */
export const isValid = (method: string, path: string, body: Body) =>
  !Object.values(body).some((value) => String(value).includes(INVALID)) &&
  (method !== 'POST' ||
    path !== '/api/v1/success-plans' ||
    body.type === 'project' ||
    body.account_id !== undefined)

/** The answer to a create whose id was used before; undefined when the id is new. */
export function repeatedCreate(
  tenant: ModelTenant,
  collection: Collection,
  { id = '' }: Body,
  user_id: string,
): ServerAnswer | undefined {
  if (tenant.isDeleted(collection, id)) return errorResponse(422, 'This was deleted.')
  const stored = tenant.records[collection].get(id)
  if (!stored) return undefined
  const author = stored.user_id ?? stored.created_by
  return author === user_id ? json(200, { data: stored }) : errorResponse(422, 'This id is taken.')
}
