// Drafts: text that is being typed, stored on the device until it is submitted. They survive reloads,
// updates of the app and forced sign-outs.
import { del, set } from 'idb-keyval'
import { UNLOADED_DRAFTS_KEY } from '../browser/session-storage.ts'
import { sync } from '../client.ts'
import { idsOf, readAliases, resolveDraft, resolveText } from '../core/arrival/aliases.ts'
import type { Key } from '../core/ports.ts'
import { readSession } from '../core/session-store.ts'

/** Between the name of a draft and the id of its form. */
const OF_FORM = '\n'

/** A stored draft. */
export type Draft = readonly [key: string[], text: string]

/**
 * The key of a draft of the signed-in user. Separate for each organisation, since drafts mention its
 * records and people; and for each `form`, so that two of one name do not replace each other's text. Undefined
 * when signed out.
 */
export const draftKey = (name: string, form?: string): string[] | undefined => {
  const session = sync().session.current()
  const own = form ? name + OF_FORM + form : name
  return session ? [session.user.id, session.active_organisation?.id ?? '', own] : undefined
}

/** The key of a draft without its form, to be compared. */
const withoutForm = (key: Key): string => String(key).split(OF_FORM)[0] ?? ''

/** The name of a stored draft, without its form. */
export const draftName = (key: Key): string => withoutForm([String(key[2])])

/**
 * The stored drafts of the name in `key`, in the order in which their forms were opened. When storage fails, those
 * that are in localStorage. Never rejects.
 */
export async function loadDrafts(key: string[]): Promise<Draft[]> {
  for (const one of readUnloaded()) await saveDraft(...one)
  const stored = await sync()
    .store.transact(['drafts', 'session'], 'readonly', async (tx) => {
      const name = withoutForm(resolveDraft(key, idsOf(await readAliases(tx, key[0]))))
      const keys = (await tx.keys('drafts', key.slice(0, 2))) as string[][]
      const named = keys.filter((one) => withoutForm(one) === name)
      const texts = (await Promise.all(named.map((one) => tx.get('drafts', one)))) as string[]
      return named.map((one, n): Draft => [one, texts[n] ?? ''])
    })
    .catch(() => [])
  const drafts = new Map(stored.map((draft) => [String(draft[0]), draft]))
  // What could not be moved, as if it had been.
  for (const [one, text, replaces = []] of readUnloaded()) {
    for (const draft of replaces)
      if (isSame(drafts.get(String(draft[0])), draft)) drafts.delete(String(draft[0]))
    if (withoutForm(one) === withoutForm(key)) drafts.set(String(one), [one, text])
  }
  return [...drafts.values()].filter(([, text]) => text)
}

/**
 * Stores a draft, or deletes it when `text` is empty, and deletes the drafts that it `replaces`, except for what was
 * changed since. Does nothing when its user has signed out meanwhile, other than by force, or its drafts were wiped.
 * On a full device it gives up the reserve, if the text `isLatest` by then. Resolves to whether it is stored; what is
 * not, is in localStorage. Never rejects.
 */
export async function saveDraft(
  key: string[],
  text: string,
  replaces: readonly Draft[] = [],
  isLatest = () => true,
): Promise<boolean> {
  for (const one of readUnloaded())
    if (replaces.some((draft) => isSame(draft, one.slice(0, 2)))) await saveDraft(...one)
  const { store } = sync()
  const write = async () => {
    if (!isLatest()) return false
    await store.transact(['drafts', 'session'], 'readwrite', async (tx) => {
      const { session, left } = await readSession(tx)
      const owner = session ? session.user.id : left?.forced && !left.wiped && left.user_id
      if (owner !== key[0]) return
      // The form may have been opened before the server's ids were known.
      const ids = idsOf(await readAliases(tx, key[0]))
      for (const [one, seen] of replaces) {
        const other = resolveDraft(one, ids)
        if ((await tx.get('drafts', other)) === resolveText(seen, ids)) tx.delete('drafts', other)
      }
      const resolved = resolveDraft(key, ids)
      if (text === '') tx.delete('drafts', resolved)
      else tx.put('drafts', resolved, resolveText(text, ids))
    })
    return true
  }
  try {
    const isStored = await write().catch(async () => {
      if (isLatest() && draftKey('')?.[0] === key[0]) keepUnloaded(key, [key, text, replaces])
      const { withoutReserve } = await import('../core/storage/evict.ts')
      return await withoutReserve(store, write)
    })
    // A copy is not newer: no other form has this key.
    if (isLatest()) keepUnloaded(key)
    return isStored
  } catch {
    return false
  }
}

/**
 * Stores a draft while the page is unloaded, twice. In localStorage, because the browser drops transactions of
 * an unloaded page that had to wait for others; `loadDrafts` of the next page moves it to the database. And in
 * the database, in case localStorage is full: begun and committed in one task, as the page may not get
 * another one, and so without a check of the session. Resolves to false: it may not be stored. Never rejects.
 */
export async function saveDraftOnUnload(
  key: string[],
  text: string,
  replaces?: readonly Draft[],
): Promise<boolean> {
  keepUnloaded(key, [key, text, replaces])
  const store = sync().store.keyval('drafts')
  const known = [...sync().aliases.get()].map(([local, { id }]): [string, string] => [local, id])
  const ids = new Map(known)
  const resolved = resolveDraft(key, ids)
  const saved = text === '' ? del(resolved, store) : set(resolved, resolveText(text, ids), store)
  await saved.catch(() => undefined)
  return false
}

/** `replaces` is absent in those of earlier builds. */
type Unloaded = [key: string[], text: string, replaces?: readonly Draft[] | undefined]

const isSame = (one: unknown, other: unknown) => String(one) === String(other)

/** The drafts that are not in the database: of pages that were unloaded, and those that it had no room for. */
function readUnloaded(): Unloaded[] {
  try {
    const stored = JSON.parse(localStorage.getItem(UNLOADED_DRAFTS_KEY) ?? '[]') as Unloaded[]
    return stored.filter(([key, text]) => Array.isArray(key) && typeof text === 'string')
  } catch {
    return []
  }
}

/** Stores `draft` in place of the one with that key. */
function keepUnloaded(key: string[], ...draft: Unloaded[]): void {
  const drafts = [...readUnloaded().filter(([one]) => !isSame(one, key)), ...draft]
  try {
    if (drafts.length === 0) localStorage.removeItem(UNLOADED_DRAFTS_KEY)
    else localStorage.setItem(UNLOADED_DRAFTS_KEY, JSON.stringify(drafts))
  } catch {
    // Full or forbidden.
  }
}
