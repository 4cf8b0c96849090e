// Which fields of its records a server returns, and whether their ids are numbers. A field that no record had and
// that the answer to a write lacked is not kept by this server: that is reported once, and forms do not offer the
// field until a record has it. Stored for each API address and collection, beside the session: making room never
// deletes it.
import { isObject } from '../../../../contract/text/json.ts'
import { nestedIds } from '../../../../contract/text/nested-ids.ts'
import type { Capabilities } from '../api/capabilities.ts'
import { integerOf, isLongInteger } from '../api/outcome.ts'
import type { ApiCall, CallInput, Ports, Transaction } from '../ports.ts'

type Fields = Record<string, unknown>

/** First element of its keys in the store `session`. */
const STORE_PREFIX = 'fields'

/** What is stored for one collection at one API address. */
interface StoredFields {
  table: string
  /** The fields that any record had; empty before a record was read. */
  returned: string[]
  /** The fields that a write was answered without. */
  missed: string[]
  /**
   * In which form ids came: `<field>=number`, `<field>=text`, or `<field>=digits` for integers that JavaScript cannot
   * hold (earlier builds stored these as text). Absent in what the earliest builds stored.
   */
  forms?: string[]
}

/** By collection: the fields that the server does not keep. */
export type NotKept = Readonly<Record<string, readonly string[]>>

const keyOf = (baseUrl: string, table: string): string[] => [STORE_PREFIX, baseUrl, table]

const readFields = async (tx: Transaction, key: string[], table: string): Promise<StoredFields> =>
  ((await tx.get('session', key)) as StoredFields | undefined) ?? {
    table,
    returned: [],
    missed: [],
  }

/** Before a record of the collection was read, nothing is known of the fields that it has. */
const notKeptOf = ({ returned, missed }: StoredFields): string[] =>
  returned.length === 0 ? [] : missed.filter((name) => !returned.includes(name))

/** The records of an answer in any form that the contract reads, as the server wrote them. */
export function recordsIn(json: unknown): Fields[] {
  const data = isObject(json) && typeof json.data === 'object' ? json.data : json
  if (isObject(data) && Array.isArray(data.data)) return data.data.filter(isObject)
  const values = isObject(data) ? Object.values(data) : []
  const isMap = values.length > 0 && values.every(isObject)
  return [isMap ? values : data].flat().filter(isObject)
}

const formOf = (value: unknown): string =>
  isLongInteger(value) ? 'digits' : typeof value === 'number' ? 'number' : 'text'

/** The forms of the ids of a record. */
const formsOf = (record: Fields): string[] =>
  Object.entries(record)
    .filter(([name, value]) => /^(.+_)?id$/.test(name) && value !== null)
    .map(([name, value]) => `${name}=${formOf(value)}`)

/** Whether text is stored, by an earlier build or of a former server, and this context has read only integers. */
function isOutdated(form: string, found: ReadonlySet<string>): boolean {
  const [name, of] = form.split('=')
  return (
    of === 'text' &&
    !found.has(form) &&
    ['number', 'digits'].some((one) => found.has(`${name}=${one}`))
  )
}

/** Text that an integer may have been read as. */
const isDigits = (value: unknown): value is string =>
  typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value)

/** The fields of the server of one context. */
export class ServerFields {
  readonly #ports: Ports
  readonly #capabilities: Capabilities
  /** By key: what this context has stored already. */
  readonly #stored = new Map<string, Set<string>>()

  constructor(ports: Ports, capabilities: Capabilities) {
    this.#ports = ports
    this.#capabilities = capabilities
  }

  /** To be called with each validated answer, as the server wrote it. */
  note({ collection: table, method }: ApiCall, json: unknown): void {
    if (table === undefined || method !== 'GET' || this.#capabilities.has('ids')) return
    const { baseUrl } = this.#ports.api()
    const key = keyOf(baseUrl, table)
    const stored = this.#stored.get(key.join()) ?? new Set()
    const records = recordsIn(json).map((record) => ({ ...record, ...nestedIds(record) }))
    const found = new Set(records.flatMap((record) => Object.keys(record)))
    const foundForms = new Set(records.flatMap(formsOf))
    const next = new Set([...stored, ...found, ...foundForms])
    if (next.size === stored.size) return
    this.#stored.set(key.join(), next)
    this.#ports.store
      .transact(['session'], 'readwrite', async (tx) => {
        const known = await readFields(tx, key, table)
        const returned = [...new Set([...known.returned, ...found])]
        const before = (known.forms ?? []).filter((form) => !isOutdated(form, next))
        const forms = [...new Set([...before, ...foundForms])]
        tx.put('session', key, { ...known, returned, forms } satisfies StoredFields)
      })
      // What could not be stored is noted with the next answer.
      .catch(() => this.#stored.delete(key.join()))
  }

  /**
   * The input with its ids in the form in which the server writes them: some take no text for a number. A field that
   * no record has shown has the form of the ids of all records, where that is one. Rejects when storage fails.
   */
  async asWritten({ collection }: ApiCall, input: CallInput): Promise<CallInput> {
    const { body } = input
    if (!isObject(body) || this.#capabilities.has('ids')) return input
    const ids = Object.entries(body).filter(
      (entry): entry is [string, string] => entry[0].endsWith('_id') && isDigits(entry[1]),
    )
    if (ids.length === 0) return input
    const all = await this.#all()
    const own = all.find(({ table }) => table === collection)?.forms ?? []
    const others = all.flatMap(({ forms = [] }) => forms)
    const isNumber = (name: string, id: string): boolean => {
      const isShown = own.some((form) => form.startsWith(`${name}=`))
      const [forms, of] = isShown ? [own, name] : [others, 'id']
      const isLong = !Number.isSafeInteger(Number(id))
      if (isLong && isShown) return forms.includes(`${of}=digits`)
      const hasNumbers = forms.includes(`${of}=digits`) || forms.includes(`${of}=number`)
      return hasNumbers && !forms.includes(`${of}=text`)
    }
    const numbers = ids
      .filter(([name, id]) => isNumber(name, id))
      .map(([name, id]) => [name, integerOf(id)])
    return { ...input, body: { ...body, ...Object.fromEntries(numbers) } }
  }

  async #all(): Promise<StoredFields[]> {
    const { api, store } = this.#ports
    const all = await store.transact(['session'], 'readonly', (tx) =>
      tx.all('session', [STORE_PREFIX, api().baseUrl]),
    )
    return all as StoredFields[]
  }

  /** The fields that any record had; none before one was read. Rejects when storage fails. */
  async returned(collection: string | undefined): Promise<readonly string[]> {
    return (await this.#all()).find(({ table }) => table === collection)?.returned ?? []
  }

  /** The fields that the server does not keep. Rejects when storage fails. */
  async notKept(): Promise<NotKept> {
    const known = (await this.#all()).map((one): [string, string[]] => [one.table, notKeptOf(one)])
    return Object.fromEntries(known.filter(([, names]) => names.length > 0))
  }
}

/**
 * Stores that the answer to a write lacked the fields in `names`, in a transaction over the store `session`. Resolves
 * to those of them that are now known not to be kept and were not before.
 */
export async function noteMissed(
  tx: Transaction,
  baseUrl: string,
  table: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return []
  const key = keyOf(baseUrl, table)
  const known = await readFields(tx, key, table)
  const next: StoredFields = { ...known, missed: [...new Set([...known.missed, ...names])] }
  tx.put('session', key, next)
  const before = notKeptOf(known)
  return notKeptOf(next).filter((name) => names.includes(name) && !before.includes(name))
}
