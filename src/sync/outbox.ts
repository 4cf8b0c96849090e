// The outbox: what the user said, kept until the server has answered for it. Every change is one
// transaction, so a kill at any moment leaves the state before or the state after it.
import { baseOf, movedBase } from './conflict.ts'
import { isCounter, next, SEQ, TICK } from './counters.ts'
import {
  OPERATION_VERSION,
  bySeq,
  dependenciesOf,
  upcast,
  waitOf,
  withDependants,
  type Operation,
  type OperationError,
} from './operation.ts'
import type { CallInput, Ports, Queueing, Transaction } from './ports.ts'
import { Questions } from './questions.ts'
import { noteSent } from './sent.ts'

const operationsIn = async (tx: Transaction): Promise<Operation[]> =>
  (await tx.all('operations', []))
    .map(upcast)
    .filter((operation) => operation !== undefined)
    .toSorted(bySeq)

/** Who says what: everything of an operation that the outbox does not decide itself. */
export interface Said {
  endpoint: string
  input: CallInput
  user_id: string
  organisation_id: string | null
  /** The record that an edit changes, as its author saw it. */
  seen?: Record<string, unknown> | undefined
}

export class Outbox {
  readonly questions: Questions
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
    this.questions = new Questions(ports)
  }

  /** All operations on the device, of every user, in the order of saying. */
  all(): Promise<Operation[]> {
    return this.#ports.store.transact(['operations'], 'readonly', operationsIn)
  }

  /**
   * Keeps what was said. When this resolves it is on the disk and survives a kill: only then may a
   * screen say "Saved on this device". Rejects with StorageFullError when there is no room.
   */
  async add({ seen, ...said }: Said): Promise<Operation> {
    const { calls, clock, random } = this.#ports
    const queueing = this.#queueing(said.endpoint)
    const base = baseOf(queueing, said.input, seen)
    return await this.#write(async (tx) => {
      // Both asked at once: the answer of each waits for whatever the page is drawing.
      const [seq, queue] = await Promise.all([next(tx, SEQ), operationsIn(tx)])
      const added: Operation = {
        ...said,
        ...(base && { base }),
        id: random.id(),
        v: OPERATION_VERSION,
        lane: queueing.lane(said.input),
        seq,
        depends_on: dependenciesOf(said, queue, calls),
        created_at: new Date(clock.now()).toISOString(),
        state: 'pending',
        attempts: 0,
        not_before: 0,
        last_error: null,
      }
      tx.put('operations', added.id, added)
      return added
    })
  }

  /**
   * Marks operations as being sent, and returns those that still may be: one that was discarded,
   * answered or put off meanwhile, in another tab say, is not sent now.
   */
  begin(ids: readonly string[]): Promise<Operation[]> {
    return this.#learn(async (tx) => {
      const begun: Operation[] = []
      for (const id of ids) {
        const operation = upcast(await tx.get('operations', id))
        if (operation?.state !== 'pending') continue
        if (waitOf(operation, this.#ports.clock.now()) > 0) continue
        const marked = { ...operation, attempts: operation.attempts + 1 }
        tx.put('operations', id, marked)
        begun.push(marked)
      }
      return begun
    })
  }

  /** These were begun and not sent after all: the server cannot have them. */
  giveBack(ids: readonly string[]): Promise<void> {
    return this.#learn(async (tx) => {
      for (const id of ids) {
        const operation = upcast(await tx.get('operations', id))
        if (operation?.state === 'pending')
          tx.put('operations', id, { ...operation, attempts: operation.attempts - 1 })
      }
    })
  }

  /**
   * The server has it. It stays until a read begun from now on has brought its copy. What was said of
   * the same version of the record is about its new version now: nobody else came between.
   */
  acknowledge(id: string, answer: Record<string, unknown>): Promise<Operation | undefined> {
    return this.#change(id, async (operation, tx) => {
      if (operation.state === 'acknowledged') return operation
      const queueing = this.#queueing(operation.endpoint)
      if (queueing.version?.(answer) !== undefined)
        for (const later of await operationsIn(tx)) {
          if (later.lane !== operation.lane) continue
          const base = movedBase(operation, queueing, answer, later.base)
          if (base) tx.put('operations', later.id, { ...later, base } satisfies Operation)
        }
      return {
        ...operation,
        state: 'acknowledged',
        answer,
        acknowledged_at: await next(tx, TICK),
        sent_at: new Date(this.#ports.clock.now()).toISOString(),
        last_error: null,
      }
    })
  }

  /** Not now: keep it and try again later. */
  postpone(id: string, not_before: number, last_error: OperationError) {
    return this.#change(id, (operation) =>
      operation.state === 'pending' ? { ...operation, not_before, last_error } : operation,
    )
  }

  /** The server said no: somebody has to look at it. */
  refuse(id: string, last_error: OperationError) {
    return this.#change(id, (operation) =>
      operation.state === 'pending' ? { ...operation, state: 'attention', last_error } : operation,
    )
  }

  /** Tries a refused operation again as it is. */
  resend(id: string): Promise<void> {
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state !== 'attention') return
      tx.put('operations', id, {
        ...operation,
        state: 'pending',
        conflict: undefined,
        not_before: 0,
        last_error: null,
      } satisfies Operation)
    })
  }

  /**
   * Says it differently: possible while the server cannot have it, that is before the first attempt
   * or after a refusal. The new words get a key of their own and keep the place in the lane.
   * `seen` is the record that it changes as the author has it before his eyes now, the one that a
   * question shows say. Resolves to undefined when it was too late.
   */
  edit(id: string, body: unknown, seen?: Record<string, unknown>): Promise<Operation | undefined> {
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation || !isEditable(operation)) return undefined
      const input = { ...operation.input, body }
      const before = { ...operation.base?.fields, ...operation.base }
      const queue = await operationsIn(tx)
      const edited: Operation = {
        ...operation,
        id: this.#ports.random.id(),
        input,
        // It may speak of other records now, which may not have been sent either.
        depends_on: dependenciesOf({ ...operation, input }, queue, this.#ports.calls),
        base: baseOf(this.#queueing(operation.endpoint), input, seen ?? before),
        conflict: undefined,
        state: 'pending',
        attempts: 0,
        not_before: 0,
        last_error: null,
      }
      tx.delete('operations', id)
      tx.put('operations', edited.id, edited)
      for (const other of queue)
        if (other.depends_on.includes(id))
          tx.put('operations', other.id, {
            ...other,
            depends_on: other.depends_on.map((one) => (one === id ? edited.id : one)),
          })
      return edited
    })
  }

  /** Takes an operation back, with all that depends on it. Returns what was taken back. */
  discard(id: string): Promise<Operation[]> {
    return this.#write(async (tx) => {
      const operations = await operationsIn(tx)
      const gone = withDependants(operations, id)
      const discarded = operations.filter((one) => gone.has(one.id) && one.state !== 'acknowledged')
      for (const one of discarded) tx.delete('operations', one.id)
      return discarded
    })
  }

  /** Puts back what was taken back, as it was: its keys make that safe, whatever was under way. */
  restore(discarded: readonly Operation[]): Promise<void> {
    return this.#write(async (tx) => {
      for (const operation of discarded)
        if ((await tx.get('operations', operation.id)) === undefined)
          tx.put('operations', operation.id, operation)
    })
  }

  /** Takes back everything of a user that is not acknowledged: asked for at sign-out. */
  discardAllOf(user_id: string): Promise<void> {
    return this.#write(async (tx) => {
      for (const one of await operationsIn(tx))
        if (one.user_id === user_id) tx.delete('operations', one.id)
    })
  }

  /** Where reads begin: give it to `settle` when the read has landed on the device. */
  async tick(): Promise<number> {
    const tick = await this.#ports.store.transact(['operations'], 'readonly', (tx) =>
      tx.get('operations', TICK),
    )
    return isCounter(tick) ? tick : 0
  }

  /**
   * A read that began at `tick` has landed: acknowledged operations that it covers leave. Those
   * acknowledged after it began stay, since the read may not have seen them.
   */
  async settle(tick: number, covers: (operation: Operation) => boolean): Promise<number> {
    const { store, clock } = this.#ports
    return await store.transact(['operations', 'cache', 'session'], 'readwrite', async (tx) => {
      const settled = (await operationsIn(tx)).filter(
        (one) => one.state === 'acknowledged' && (one.acknowledged_at ?? 0) <= tick && covers(one),
      )
      for (const one of settled) tx.delete('operations', one.id)
      if (settled.length > 0) await noteSent(tx, settled, clock.now())
      return settled.length
    })
  }

  #queueing(endpoint: string): Queueing {
    const queueing = this.#ports.calls[endpoint]?.queueing
    if (!queueing) throw new Error(`${endpoint} cannot be queued.`)
    return queueing
  }

  /** Changes one operation, and returns it as it is now; undefined when it is gone. */
  #change(
    id: string,
    change: (operation: Operation, tx: Transaction) => Operation | Promise<Operation>,
  ): Promise<Operation | undefined> {
    return this.#learn(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation) return undefined
      const changed = await change(operation, tx)
      if (changed !== operation) tx.put('operations', id, changed)
      return changed
    })
  }

  /** What the server said can be learnt again by asking again, so it need not be flushed. */
  #learn<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'readwrite', work)
  }

  /** What the user said exists nowhere else: it is flushed. */
  #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}

/** Whether the server cannot have it, so that it may still be said differently. */
export const isEditable = (operation: Operation): boolean =>
  operation.state === 'attention' || (operation.state === 'pending' && operation.attempts === 0)
