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

/** The name of a stored draft, without its form. */
export const draftName = (key: Key): string => String(key[2]).split(OF_FORM)[0] ?? ''

/**
 * The stored drafts of the name in `key`, in the order in which their forms were opened. When storage fails, those
 * that are in localStorage. Never rejects.
 */
export async function loadDrafts(key: string[]): Promise<Draft[]> {
  for (const one of readUnloaded()) await saveDraft(...one)
  // What could not be moved is newer than what is stored under the same key, and replaces what it would replace there.
  const unmoved = readUnloaded()
  const replaced = unmoved.flatMap((one) => one[2] ?? [])
  const stored = await sync()
    .store.transact(['drafts', 'session'], 'readonly', async (tx) => {
      const name = draftName(resolveDraft(key, idsOf(await readAliases(tx, key[0]))))
      const keys = (await tx.keys('drafts', key.slice(0, 2))) as string[][]
      const named = keys.filter((one) => draftName(one) === name)
      const texts = (await Promise.all(named.map((one) => tx.get('drafts', one)))) as string[]
      return named.map((one, n): Draft => [one, texts[n] ?? ''])
    })
    .catch(() => [])
  const isOf = ([user, organisation]: string[]) => user === key[0] && organisation === key[1]
  return [
    ...stored.filter(([one]) => !unmoved.some(([other]) => isSame(one, other))),
    ...unmoved
      .filter(([one, text]) => text && isOf(one) && draftName(one) === draftName(key))
      .map(([one, text]): Draft => [one, text]),
  ].filter((draft) => !replaced.some((one) => isSame(one, draft)))
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
  const older = readUnloaded().filter(([unloaded]) => isSame(unloaded, key))
  const write = async () => {
    if (!isLatest()) throw new Error('A newer text is being stored.')
    await sync().store.transact(['drafts', 'session'], 'readwrite', async (tx) => {
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
  }
  try {
    await write().catch(async () => {
      if (isLatest() && draftKey('')?.[0] === key[0]) older.push(keepUnloaded(key, text, replaces))
      const { withoutReserve } = await import('../core/storage/evict.ts')
      await withoutReserve(sync().store, write)
    })
  } catch {
    return false
  }
  if (older.length > 0)
    writeUnloaded(readUnloaded().filter((one) => !older.some((other) => isSame(one, other))))
  return true
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
  keepUnloaded(key, text, replaces)
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

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function keepUnloaded(...draft: Unloaded): Unloaded {
  writeUnloaded([...readUnloaded().filter(([unloaded]) => !isSame(unloaded, draft[0])), draft])
  return draft
}

/** The drafts that are not in the database: of pages that were unloaded, and those that it had no room for. */
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
