// What somebody is typing, kept on the device until it is said: it survives a reload, an update of
// the app and a sign-out that nobody asked for.
import { del, get, set } from 'idb-keyval'
import { sync } from './client.ts'

const keyOf = (name: string): string[] | undefined => {
  const user_id = sync().session.current()?.user.id
  return user_id === undefined ? undefined : [user_id, name]
}

/** The draft of that name of the signed-in user; undefined when there is none, or storage fails. */
export async function loadDraft(name: string): Promise<string | undefined> {
  const key = keyOf(name)
  try {
    return key && (await get<string>(key, sync().store.keyval('drafts')))
  } catch {
    return undefined
  }
}

/**
 * Keeps a draft. Begun and committed in one turn once the database is open, so that it may be called
 * in `pagehide`. A draft that cannot be kept is not worth an error: its text is still in the form.
 */
export async function saveDraft(name: string, text: string): Promise<void> {
  const key = keyOf(name)
  if (!key) return
  const store = sync().store.keyval('drafts')
  await (text === '' ? del(key, store) : set(key, text, store)).catch(() => undefined)
}

export const clearDraft = (name: string): Promise<void> => saveDraft(name, '')
