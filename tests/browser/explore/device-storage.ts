// What a device stores, read in one of its pages: the outbox, what was sent, and the replica.
import type { Page } from 'playwright-core'
import type { Operation } from '../../../src/sync/core/operation.ts'
import type { SentEntry } from '../../../src/sync/core/sent-log.ts'

export interface DeviceStorage {
  user_id: string | undefined
  organisation_id: string | undefined
  operations: Operation[]
  sent: SentEntry[]
}

interface Rows {
  keys: IDBValidKey[]
  values: unknown[]
}

/** In the page: the rows of an object store. Fails without a database, which no app has emptied. */
async function readRows(table: string): Promise<Rows> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('cairn')
    // It would be created here, in a version that the app does not know.
    request.onupgradeneeded = () => request.transaction?.abort()
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error(`No database: ${String(request.error)}`))
  })
  const rows = database.transaction(table).objectStore(table)
  const [keys, values] = [rows.getAllKeys(), rows.getAll()]
  await new Promise((resolve, reject) => {
    values.onsuccess = resolve
    values.onerror = () => reject(values.error ?? new Error('It does not read.'))
  })
  database.close()
  return { keys: keys.result, values: values.result }
}

/** In the page: whose device it is now. */
const readSession = () => {
  const idOf = (key: string) => {
    const record = JSON.parse(localStorage.getItem(key) ?? 'null') as { id?: string } | null
    return record?.id
  }
  return { user_id: idOf('user'), organisation_id: idOf('active_organisation') }
}

/** The outbox and the log of what was sent. A navigation of the page in between is tried again. */
export async function readDeviceStorage(page: Page): Promise<DeviceStorage> {
  const operations = await evaluate(page, () => page.evaluate(readRows, 'operations'))
  const cache = await evaluate(page, () => page.evaluate(readRows, 'cache'))
  return {
    ...(await evaluate(page, () => page.evaluate(readSession))),
    operations: operations.values.filter((one) => typeof one === 'object') as Operation[],
    sent: cache.values.filter((_, at) => nameOf(cache.keys[at]) === '=sent').flat() as SentEntry[],
  }
}

/** The stored records of a user's organisation: `collection/id` and version. */
export async function readReplica(
  page: Page,
  user_id: string,
  organisation_id: string,
): Promise<Map<string, unknown>> {
  const { keys, values } = await evaluate(page, () => page.evaluate(readRows, 'cache'))
  const records = new Map<string, unknown>()
  for (const [at, key] of keys.entries()) {
    const [user, organisation, collection = ''] = key as string[]
    if (user !== user_id || organisation !== organisation_id || /^[=!]/.test(collection)) continue
    for (const record of values[at] as { id: string; version?: number }[])
      records.set(`${collection}/${record.id}`, record.version)
  }
  return records
}

const nameOf = (key: IDBValidKey | undefined) => (Array.isArray(key) ? key[2] : undefined)

/** A page that is navigating loses its context; the next document is asked instead. */
async function evaluate<T>(page: Page, read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1)
    try {
      return await read()
    } catch (error) {
      if (attempt === 3 || !/context was destroyed|navigat/i.test(String(error))) throw error
      await page.waitForLoadState()
    }
}
