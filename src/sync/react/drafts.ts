// What somebody is typing, kept on the device until it is said: it survives a reload, an update of
// the app and a sign-out that nobody asked for.
import { del, get, set } from 'idb-keyval'
import { sync } from '../client.ts'
import { readSession } from '../core/session-store.ts'

/**
 * Where a draft of that name of whoever is signed in now is kept, apart for each organisation: what was
 * begun in one names its records and people. Undefined when nobody is signed in.
 */
export const draftKey = (name: string): string[] | undefined => {
  const session = sync().session.current()
  return session ? [session.user.id, session.active_organisation?.id ?? '', name] : undefined
}

/** What was kept there; undefined when there is nothing, or storage fails. */
export async function loadDraft(key: string[]): Promise<string | undefined> {
  try {
    return await get<string>(key, sync().store.keyval('drafts'))
  } catch {
    return undefined
  }
}

/**
 * Keeps a draft, unless its user chose to be signed out meanwhile, in another tab say. A draft that
 * cannot be kept is not worth an error: its text is still in the form.
 */
export async function saveDraft(key: string[], text: string): Promise<void> {
  const { store } = sync()
  const saved = store.transact(['drafts', 'session'], 'readwrite', async (tx) => {
    const { session, left } = await readSession(tx)
    const owner = session ? session.user.id : left?.forced && left.user_id
    if (owner !== key[0]) return
    if (text === '') tx.delete('drafts', key)
    else tx.put('drafts', key, text)
  })
  await saved.catch(() => undefined)
}

/**
 * Keeps a draft while the page is left: begun and committed in one turn once the database is open, for
 * there may be no other. So there is none to ask who is signed in by now.
 */
export async function saveDraftOnUnload(key: string[], text: string): Promise<void> {
  const store = sync().store.keyval('drafts')
  await (text === '' ? del(key, store) : set(key, text, store)).catch(() => undefined)
}
