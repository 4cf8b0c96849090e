// Addresses of initiatives and actions. Ids of other servers may be any text.
import { accountPath, planPath } from './record-path.ts'

interface ActionPlace {
  id: string
  initiative_id: string | null
  success_plan_id: string | null
  account_id: string | null
}

/** An initiative, shown beside the list of initiatives. */
export const initiativePath = (id: string) => `/initiatives?open=${encodeURIComponent(id)}`

/** The hash of an address whose screen gives the row of that action the focus. */
export const actionHash = (id: string) => `#${encodeURIComponent(id)}`

/** The row of an action: with its initiative, else among those of its plan that have none. */
export function actionPath({ id, initiative_id, success_plan_id, account_id }: ActionPlace) {
  const list = initiative_id
    ? initiativePath(initiative_id)
    : success_plan_id && `${planPath(success_plan_id)}?show=initiatives`
  if (list) return list + actionHash(id)
  return account_id ? accountPath(account_id) : '/initiatives'
}
