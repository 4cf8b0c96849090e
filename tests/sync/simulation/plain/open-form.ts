// A form that stays open: what is saved in it names the record by the id that it had when it was opened, which
// may have been replaced since.
import type { Kind, PlainTab } from './plain-tab.ts'

const EDIT_CALLS = {
  accounts: ['updateAccount', 'name'],
  success_plans: ['updateSuccessPlan', 'title'],
  initiatives: ['updateInitiative', 'title'],
  actions: ['updateAction', 'title'],
} as const

/**
 * Opens the form of a record that the tab shows. Returns what saves it with that text, as long as the tab lives
 * and its user is signed in.
 */
export function formOf(tab: PlainTab, kind: Kind, id: string, text: string): () => Promise<void> {
  const scope = tab.engine.activeReplica()?.scope
  const seen = tab.shown(kind, id)
  return async () => {
    const { user_id, organisation_id } = tab.engine.activeReplica()?.scope ?? {}
    const isSameUser = user_id === scope?.user_id && organisation_id === scope?.organisation_id
    if (!seen || tab.state !== 'live' || !isSameUser) return
    const [endpoint, field] = EDIT_CALLS[kind]
    const path = kind === 'actions' ? undefined : { id: seen.id }
    const body = { [field]: text, ...(!path && { id: seen.id }) }
    await tab.enqueue(endpoint, { ...(path && { path }), body }, seen)
  }
}
