// The observer of deletions in front of a plain server: what another person wrote is not deleted unseen, a
// deletion that was taken back does not take effect, and one that arrived is known to have arrived.
import { engineTable } from '../../../../contract/engine-table.ts'
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'
import { tableOf } from './copy-log.ts'
import type { PlainModel } from './plain-model.ts'

type Fields = Record<string, unknown>

/** What another person writes, see `PlainModel.editAsAnother`. */
const WRITTEN = ['title', 'name'] as const
/** Between the reading and the write something can be written unseen. Longer than any request. */
export const WINDOW_MS = 90_000

interface Deletion {
  /** As it is stored now, with the server's id of its record. */
  operation: Operation
  /** The words in view of its author. */
  words: Set<unknown>
  confirmed: boolean
  isSent: boolean
  isDiscarded: boolean
  isStored: boolean
}

const calls: Record<string, { offlinePolicy?: { deletes?: unknown } }> = engineTable.calls

export const isDeletion = ({ endpoint }: Pick<Operation, 'endpoint'>): boolean =>
  calls[endpoint]?.offlinePolicy?.deletes !== undefined

const wordsIn = (record: Fields) => WRITTEN.map((name) => record[name]).filter(Boolean)

export class PlainDeletions {
  readonly #world: SimulatedEnvironment
  readonly #models: () => readonly PlainModel[]
  readonly #all = new Map<string, Deletion>()
  readonly #seen = new Map<string, Fields>()
  /** By user: the words that an edit was to replace. */
  readonly #replaced = new Map<string, Set<unknown>>()

  constructor(world: SimulatedEnvironment, models: () => readonly PlainModel[]) {
    this.#world = world
    this.#models = models
  }

  /** A user changes a record with its words in view. They stay known where the edit waits or is undone. */
  edits(user_id: string, body: unknown, seen: Fields): void {
    const words = WRITTEN.filter((name) => name in (body as Fields)).map((name) => seen[name])
    this.#replaced.set(user_id, new Set([...(this.#replaced.get(user_id) ?? []), ...words]))
  }

  /** The words by which the next deletion is known, and the record as its author sees it. */
  expect(title: string, seen: Fields): void {
    this.#seen.set(title, seen)
  }

  /** The screen showed that it is deleted. */
  confirm({ id }: Operation): void {
    const deletion = this.#all.get(id)
    if (deletion) deletion.confirmed = true
  }

  /** Its author has been asked, with this record in view. */
  answered(id: string, theirs: Fields): void {
    for (const word of wordsIn(theirs)) this.#all.get(id)?.words.add(word)
  }

  #recordOf({ operation }: Deletion) {
    const table = tableOf(operation)
    const model = this.#models().find(({ name }) => name === operation.api)
    const records = (table && model?.api.records.tables[table]) ?? []
    const record = records.find(({ id }) => id === operation.input.path?.id)
    return { model, record }
  }

  /** An operation was stored or removed. */
  changed(
    owner: SimulatedProcess,
    was: Operation | undefined,
    is: Operation | undefined,
    isAllowed: () => boolean,
  ): void {
    const operation = is ?? was
    if (!operation || !isDeletion(operation)) return
    const { title = '' } = operation.input.body as { title?: string }
    const known = this.#all.get(operation.id)
    const fresh = { confirmed: false, isSent: false, isDiscarded: false }
    const replaced = this.#replaced.get(operation.user_id) ?? []
    const words = new Set([...wordsIn(this.#seen.get(title) ?? {}), ...replaced])
    const deletion: Deletion = known ?? { operation, words, isStored: true, ...fresh }
    this.#all.set(operation.id, Object.assign(deletion, { operation, isStored: Boolean(is) }))
    if (!was) this.#world.log(owner.name, () => `stores “${title}” as ${operation.id}`)
    const isThere = this.#recordOf(deletion).record !== undefined
    if (is?.state === 'acknowledged' && was?.state !== 'acknowledged' && isThere)
      this.#world.fail('I1', `“${title}” is acknowledged and the server has the record`)
    if (is?.state === 'attention' && was?.state !== 'attention') {
      this.#world.log(owner.name, () => `“${title}” needs attention: ${is.last_error?.message}`)
      if (!is.conflict && !isThere)
        this.#world.fail('I13', `“${title}” needs attention and the record is gone`)
    }
    if (is || was?.state === 'acknowledged') return
    if (isAllowed()) deletion.isDiscarded = true
    else if (isThere) this.#world.fail('I1', `“${title}” is gone and the server has the record`)
  }

  /** A request leaves a context. `own`: whether a user of this device entered that text. */
  sent({ headers, method, url }: NetworkRequest, own: (word: unknown) => boolean): void {
    if (method !== 'DELETE') return
    const id = url.split('/').at(-1)
    const noun = url.split('/').at(-2)
    const all = [...this.#all.values()].filter(
      ({ operation }) => operation.input.path?.id === id && tableOf(operation) === noun,
    )
    const open = all.filter(({ isDiscarded, isSent }) => isSent || !isDiscarded)
    if (open.length === 0) this.#world.fail('I2', `DELETE ${url} is of no deletion that is left`)
    // One that waits for its author sends nothing while another can.
    const pending = open.filter(({ operation }) => operation.state === 'pending')
    for (const deletion of pending.length > 0 ? pending : open) {
      deletion.isSent = true
      const { model, record } = this.#recordOf(deletion)
      const at = record && model?.editedAt.get(record)
      if (!record || at === undefined || at > this.#world.now - WINDOW_MS) continue
      // The server compares the version.
      if (headers['If-Match'] !== undefined) continue
      const news = wordsIn(record).find((word) => !deletion.words.has(word) && !own(word))
      if (news !== undefined)
        this.#world.fail(
          'R10',
          `DELETE ${url} leaves, whose author has not seen ${JSON.stringify(news)}`,
        )
    }
  }

  /** At the end each is done, or needs its author. */
  checkRest(): void {
    for (const deletion of this.#all.values()) {
      const { confirmed, isDiscarded, isStored, operation } = deletion
      if (confirmed && !isDiscarded && !isStored && this.#recordOf(deletion).record)
        this.#world.fail('I1', `the deletion ${operation.id} is lost`)
    }
  }
}
