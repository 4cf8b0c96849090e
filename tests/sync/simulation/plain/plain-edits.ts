// The observer of edits in front of a plain server: what another person wrote is not replaced unseen (R9), and the
// progress that an update sets reaches its plan, whether the server compares versions, takes effects, or neither.
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type { SimulatedEnvironment } from '../simulated-environment.ts'
import { cleaned } from './cleaned-text.ts'
import { WINDOW_MS } from './plain-deletions.ts'
import type { PlainEffect, PlainModel } from './plain-model.ts'

type Fields = Record<string, unknown>

/** What another person writes, see `PlainModel.editAsAnother`. */
const isOfOthers = (word: unknown): word is string =>
  typeof word === 'string' && word.startsWith('elsewhere')

const progressIn = (body: unknown) => (body as { progress?: number } | undefined)?.progress

export class PlainEdits {
  readonly #world: SimulatedEnvironment
  /** By user: the words of others that were in view. */
  readonly #seen = new Map<string, Set<string>>()
  /** By text: those that its author had seen. */
  readonly #seenBy = new Map<string, ReadonlySet<string>>()
  /** Those that a question has shown. */
  readonly #asked = new Set<unknown>()
  /** By text of an update: the progress that it sets. */
  readonly #progress = new Map<string, number>()
  /** The progress that plans have had, from the first records on, and that which was taken back. */
  readonly #reached = new Set<number>([0, 7])
  readonly #givenUp = new Set<number>()

  constructor(world: SimulatedEnvironment) {
    this.#world = world
  }

  /** A user writes a text with this record in view. */
  writes(user_id: string, text: string | undefined, view: Fields): void {
    const words = new Set([...(this.#seen.get(user_id) ?? []), ...Object.values(view)])
    const seen = new Set([...words].filter(isOfOthers))
    this.#seen.set(user_id, seen)
    if (text !== undefined) this.#seenBy.set(text, seen)
  }

  /** A question has shown this record to its user, who has decided that what they wrote stays. */
  answered(view: Fields): void {
    for (const word of Object.values(view)) this.#asked.add(word)
  }

  /** What was written is stored on the device. */
  stored(text: string, body: unknown): void {
    const progress = progressIn(body)
    if (progress !== undefined) this.#progress.set(text, progress)
  }

  /** An operation left the device before it arrived; `stored` are those that take its place. */
  removed({ input }: Operation, stored: readonly Operation[]): void {
    const progress = progressIn(input.body)
    if (progress === undefined) return
    if (!stored.some((one) => progressIn(one.input.body) === progress)) this.#givenUp.add(progress)
  }

  /** A write of any device took effect: two may set the same progress, and the second has nothing to send. */
  reached({ record }: Pick<PlainEffect, 'record'>): void {
    for (const progress of [record.progress, record.progress_to])
      if (typeof progress === 'number') this.#reached.add(progress)
  }

  /** A write of this device took effect. `own`: whether that is a text of this device. */
  applied(
    model: PlainModel,
    { before, method, record, request }: PlainEffect,
    own: (word: string) => boolean,
  ): void {
    const isCompared = request.headers['If-Match'] !== undefined
    const editedAt = model.editedAt.get(record) ?? -Infinity
    if (method === 'POST' || (!isCompared && editedAt > this.#world.now - WINDOW_MS)) return
    for (const [name, was] of Object.entries(before ?? {})) {
      const text = record[name]
      if (!isOfOthers(was) || text === was || typeof text !== 'string' || !own(text)) continue
      if (!this.#asked.has(was) && this.#seenBy.get(cleaned(text))?.has(was) !== true)
        this.#world.fail('R9', `“${text}” replaces “${was}”, which its author has not seen`)
    }
  }

  /** At the end. `isOpen`: whether the update was confirmed, and neither taken back nor asked about. */
  checkRest(isOpen: (text: string) => boolean): void {
    for (const [text, progress] of this.#progress)
      if (isOpen(text) && !this.#reached.has(progress) && !this.#givenUp.has(progress))
        this.#world.fail('I1', `the progress ${progress} of “${text}” never reached its plan`)
  }
}
