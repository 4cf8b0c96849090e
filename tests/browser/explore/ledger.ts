// Everything that the devices of an exploration called saved, and what became of it. An operation is
// identified by its device and its position in the queue, which outlives edits and rebases.
import type { Operation } from '../../../src/sync/core/operation.ts'
import type { SentEntry } from '../../../src/sync/core/sent-log.ts'
import type { DeviceStorage } from './device-storage.ts'

/** One operation: the forms in which it was seen, the latest last. */
export interface Saved {
  device: string
  position: string
  /** By id, which is the idempotency key: each edit of what waits has a new one. */
  forms: Map<
    string,
    Pick<Operation, 'endpoint' | 'input' | 'organisation_id'> & { user_id?: string }
  >
  /** As last seen in the outbox; undefined when it was not there. */
  stored: Operation | undefined
  step: number
  /** The user discarded it, or took the other's value. */
  isGivenUp: boolean
}

/** A conflict that a device showed. */
export interface Question {
  device: string
  step: number
  operation: Operation
}

/** A text that a screen showed as "Saved on this device". */
interface Claim {
  device: string
  text: string
  step: number
}

export class Ledger {
  readonly saved = new Map<string, Saved>()
  readonly questions = new Map<string, Question>()
  readonly claims = new Map<string, Claim>()
  /** Ids of operations that the user is giving up on a device. */
  readonly #given = new Map<string, Set<string>>()

  /** Before a press that may discard: what waits on the device now may leave it unsent. */
  expectDiscards(device: string, { operations }: DeviceStorage): void {
    this.#given.set(device, new Set(operations.map(({ id }) => id)))
  }

  /** Before any other step: nothing may leave the outbox unsent any more. */
  expectNoDiscards(device: string): void {
    this.#given.delete(device)
  }

  /** Compares what a device stores with what it stored before. */
  record(device: string, storage: DeviceStorage, step: number): void {
    const present = new Set<Saved>()
    for (const operation of storage.operations) {
      const saved = this.#at(device, `${operation.seq}`, step)
      saved.forms.set(operation.id, operation)
      saved.stored = operation
      // Undo restores it.
      saved.isGivenUp = false
      present.add(saved)
      if (operation.conflict && !this.questions.has(operation.id))
        this.questions.set(operation.id, { device, step, operation })
    }
    for (const entry of storage.sent) {
      const saved =
        this.#byId(device, entry.id) ??
        this.#predecessorOf(device, entry) ??
        this.#at(device, entry.id, step)
      if (!saved.forms.has(entry.id)) saved.forms.set(entry.id, entry)
      if (entry.given_up && isWhole(entry, saved)) saved.isGivenUp = true
    }
    for (const saved of this.saved.values()) {
      if (saved.device !== device || present.has(saved) || !saved.stored) continue
      saved.isGivenUp ||= this.#given.get(device)?.has(saved.stored.id) === true
      saved.stored = undefined
    }
  }

  claim(device: string, texts: readonly string[], step: number): void {
    for (const text of texts)
      if (!this.claims.has(text)) this.claims.set(text, { device, text, step })
  }

  /** The operations of all devices that set this field of this record, with the values. */
  writersOf(record_id: string, field: string): { device: string; value: unknown }[] {
    return [...this.saved.values()].flatMap(({ device, forms }) =>
      [...forms.values()]
        .filter(({ input }) => recordIdOf(input) === record_id)
        .map(({ input }) => ({ device, value: bodyOf(input)[field] }))
        .filter(({ value }) => value !== undefined),
    )
  }

  #at(device: string, position: string, step: number): Saved {
    const key = `${device} ${position}`
    const saved: Saved = this.saved.get(key) ?? {
      device,
      position,
      step,
      forms: new Map(),
      stored: undefined,
      isGivenUp: false,
    }
    this.saved.set(key, saved)
    return saved
  }

  /**
   * The operation that was sent in another form than it was last seen: a conflict splits an update, and
   * sends its note at once, as the same record under a new key.
   */
  #predecessorOf(device: string, { endpoint, input }: SentEntry): Saved | undefined {
    const record = bodyOf(input)['id']
    if (record === undefined) return undefined
    return [...this.saved.values()].find(
      (one) =>
        one.device === device &&
        [...one.forms.values()].some(
          (form) => form.endpoint === endpoint && bodyOf(form.input)['id'] === record,
        ),
    )
  }

  #byId(device: string, id: string): Saved | undefined {
    return [...this.saved.values()].find((one) => one.device === device && one.forms.has(id))
  }
}

/** Whether the author gave up all that the operation set, by a later value or a choice in a conflict. */
const isWhole = ({ input }: SentEntry, { forms }: Saved): boolean => {
  const last = [...forms.values()].at(-1)
  const given = new Set([...Object.keys(bodyOf(input)), 'id', 'written_at'])
  return last !== undefined && Object.keys(bodyOf(last.input)).every((name) => given.has(name))
}

type Input = Operation['input']

export const bodyOf = ({ body }: Input): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** The id of the record that an operation creates, edits or appends to. */
export const recordIdOf = (input: Input): string | undefined => {
  const id = input.path?.['id'] ?? bodyOf(input)['id']
  return typeof id === 'string' ? id : undefined
}
