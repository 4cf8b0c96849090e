// What somebody at a shared device could read of those who were here before.
import type { Page } from 'playwright-core'
import type { ApiUser } from './person.ts'
import type { Team } from './team.ts'
import { HISTORY } from './team.ts'

/** All that can be read in a page, by the place where it stands. */
export type Readable = Record<string, string>

/** Where the outbox is kept; what waits in it is sealed, not wiped. */
export const OUTBOX = 'IndexedDB cairn operations'
/** Where is kept what was being typed. */
export const DRAFTS = 'IndexedDB cairn drafts'
/** Where the id of who was here last is kept, so that the next user is not led along the same way. */
export const SIGNED_OUT_RECORD = 'IndexedDB cairn session'
/** The way back of a tab that was somewhere when its user was signed out: an id, no words. */
export const ADDRESS = 'address'

/** Everything that the page shows and that its origin has stored, keys and bodies included. */
export async function readAllStorage(page: Page): Promise<Readable> {
  const readable = await page.evaluate(async () => {
    const fields = [...document.querySelectorAll('input, textarea, select')]
    const found: Record<string, string> = {
      address: location.href,
      'history state': JSON.stringify(history.state),
      'document title': document.title,
      document: document.documentElement.outerHTML,
      fields: fields.map((field) => (field as HTMLInputElement).value).join('\n'),
      localStorage: JSON.stringify(Object.entries(localStorage)),
      sessionStorage: JSON.stringify(Object.entries(sessionStorage)),
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('It does not open.'))
      })
      for (const table of database.objectStoreNames) {
        const rows = database.transaction(table).objectStore(table)
        const [keys, values] = [rows.getAllKeys(), rows.getAll()]
        await new Promise((resolve) => {
          values.onsuccess = resolve
        })
        found[`IndexedDB ${name} ${table}`] = JSON.stringify([keys.result, values.result])
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      const answers = (await cache.keys()).map(async (request) => {
        const answer = await cache.match(request)
        return `${request.url}\n${JSON.stringify([...request.headers])}\n${await answer?.text()}`
      })
      found[`cache ${name}`] = (await Promise.all(answers)).join('\n')
    }
    return found
  })
  const cookies = await page.context().cookies()
  return { ...readable, cookies: JSON.stringify(cookies) }
}

/** Whether the device has stored that text, wherever. */
export async function isStored(page: Page, text: string): Promise<boolean> {
  const stored = Object.entries(await readAllStorage(page)).filter(([place]) =>
    /^(IndexedDB|localStorage)/.test(place),
  )
  return stored.some(([, content]) => content.includes(text))
}

/** Words and ids that only members of the team may read, by what they are. */
export function secretsOf(person: ApiUser, team: Team): Record<string, string> {
  const { account, organisation, plan, unopened } = team
  return {
    name: person.name,
    email: person.email,
    'user id': organisation.user_id,
    organisation: organisation.name,
    'organisation id': organisation.id,
    account: account.name,
    'account id': account.id,
    contact: 'Mira Stone',
    plan: plan.title,
    'plan id': plan.id,
    'other plan': unopened.title,
    'other plan id': unopened.id,
    'update text': HISTORY.opened,
    'other update text': HISTORY.unopened,
  }
}

/** The tokens that the page holds. */
export const tokensOf = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() =>
    Object.fromEntries(
      ['access_token', 'refresh_token'].map((key) => [key, localStorage.getItem(key) ?? '']),
    ),
  )

/** Which of `secrets` can be read where, apart from the places in `but`. */
export function findSecrets(
  readable: Readable,
  secrets: Record<string, string>,
  but: readonly string[] = [],
): string[] {
  const places = Object.entries(readable).filter(([place]) => !but.includes(place))
  return places.flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, secret]) => text.toLowerCase().includes(secret.toLowerCase()))
      .map(([what]) => `${what} in ${place}`),
  )
}
