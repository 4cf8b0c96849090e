// Drafts: text that is being typed, stored on the device until it is submitted. They survive reloads,
// updates of the app and forced sign-outs.
import { del, set } from 'idb-keyval'
import { UNLOADED_DRAFTS_KEY } from '../browser/session-storage.ts'
import { sync } from '../client.ts'
import { idsOf, readAliases, resolveDraft, resolveText } from '../core/arrival/aliases.ts'
import { readSession } from '../core/session-store.ts'

/**
 * The key of a draft of the signed-in user. Separate for each organisation, since drafts mention its
 * records and people. Undefined when signed out.
 */
export const draftKey = (name: string): string[] | undefined => {
  const session = sync().session.current()
  return session ? [session.user.id, session.active_organisation?.id ?? '', name] : undefined
}

/** The stored text; undefined without one, or when storage fails. */
export async function loadDraft(key: string[]): Promise<string | undefined> {
  try {
    for (const [unloaded, text] of readUnloaded()) await saveDraft(unloaded, text)
    return await sync().store.transact(['drafts', 'session'], 'readonly', async (tx) => {
      const ids = idsOf(await readAliases(tx, key[0]))
      return (await tx.get('drafts', resolveDraft(key, ids))) as string | undefined
    })
  } catch {
    return undefined
  }
}

/**
 * Stores a draft, or deletes it when `text` is empty. Does nothing when its user has signed out
 * meanwhile, other than by force, or its drafts were wiped. Never rejects: the text is still in the form.
 */
export async function saveDraft(key: string[], text: string): Promise<void> {
  const { store } = sync()
  const older = readUnloaded().filter(([unloaded]) => isSame(unloaded, key))
  const saved = store.transact(['drafts', 'session'], 'readwrite', async (tx) => {
    const { session, left } = await readSession(tx)
    const owner = session ? session.user.id : left?.forced && !left.wiped && left.user_id
    if (owner !== key[0]) return
    // The form may have been opened before the server's ids were known.
    const ids = idsOf(await readAliases(tx, key[0]))
    const resolved = resolveDraft(key, ids)
    if (text === '') tx.delete('drafts', resolved)
    else tx.put('drafts', resolved, resolveText(text, ids))
  })
  await saved.then(
    () => older.length > 0 && writeUnloaded(readUnloaded().filter((one) => !isSame(one, older[0]))),
    () => undefined,
  )
}

/**
 * Stores a draft while the page is unloaded, twice. In localStorage, because the browser drops transactions of
 * an unloaded page that had to wait for others; `loadDraft` of the next page moves it to the database. And in
 * the database, in case localStorage is full: begun and committed in one task, as the page may not get
 * another one, and so without a check of the session. Never rejects.
 */
export async function saveDraftOnUnload(key: string[], text: string): Promise<void> {
  writeUnloaded([...readUnloaded().filter(([unloaded]) => !isSame(unloaded, key)), [key, text]])
  const store = sync().store.keyval('drafts')
  const known = [...sync().aliases.get()].map(([local, { id }]): [string, string] => [local, id])
  const ids = new Map(known)
  const resolved = resolveDraft(key, ids)
  const saved = text === '' ? del(resolved, store) : set(resolved, resolveText(text, ids), store)
  await saved.catch(() => undefined)
}

type Unloaded = [key: string[], text: string]

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The drafts of pages that were unloaded, until they are in the database. */
function readUnloaded(): Unloaded[] {
  try {
    const stored = JSON.parse(localStorage.getItem(UNLOADED_DRAFTS_KEY) ?? '[]') as Unloaded[]
    return stored.filter(([key, text]) => Array.isArray(key) && typeof text === 'string')
  } catch {
    return []
  }
}

function writeUnloaded(drafts: readonly Unloaded[]): void {
  try {
    if (drafts.length === 0) localStorage.removeItem(UNLOADED_DRAFTS_KEY)
    else localStorage.setItem(UNLOADED_DRAFTS_KEY, JSON.stringify(drafts))
  } catch {
    // Full or forbidden.
  }
}
