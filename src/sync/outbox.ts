// The outbox: what the user said, kept until the server has answered for it. Every change is one
// transaction, so a kill at any moment leaves the state before or the state after it.
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
import type { CallInput, Ports, Transaction } from './ports.ts'

/** Keys of the counters in the table of operations; operations' keys are their ids. */
const SEQ = '!seq'
const TICK = '!tick'

const isCounter = (value: unknown): value is number => typeof value === 'number'

const operationsIn = async (tx: Transaction): Promise<Operation[]> =>
  (await tx.all('operations', []))
    .map(upcast)
    .filter((operation) => operation !== undefined)
    .toSorted(bySeq)

const next = async (tx: Transaction, counter: string): Promise<number> => {
  const last = await tx.get('operations', counter)
  const value = (isCounter(last) ? last : 0) + 1
  tx.put('operations', counter, value)
  return value
}

/** Who says what: everything of an operation that the outbox does not decide itself. */
export interface Said {
  endpoint: string
  input: CallInput
  user_id: string
  organisation_id: string | null
}

export class Outbox {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** All operations on the device, of every user, in the order of saying. */
  all(): Promise<Operation[]> {
    return this.#ports.store.transact(['operations'], 'readonly', operationsIn)
  }

  /**
   * Keeps what was said. When this resolves it is on the disk and survives a kill: only then may a
   * screen say "Saved on this device". Rejects with StorageFullError when there is no room.
   */
  async add(said: Said): Promise<Operation> {
    const { calls, clock, random } = this.#ports
    const queueing = calls[said.endpoint]?.queueing
    if (!queueing) throw new Error(`${said.endpoint} cannot be queued.`)
    return await this.#write(async (tx) => {
      const added: Operation = {
        ...said,
        id: random.id(),
        v: OPERATION_VERSION,
        lane: queueing.lane(said.input),
        seq: await next(tx, SEQ),
        depends_on: dependenciesOf(said, await operationsIn(tx), calls),
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

  /** The server has it. It stays until a read begun from now on has brought its copy. */
  acknowledge(id: string, answer: unknown): Promise<Operation | undefined> {
    return this.#change(id, async (operation, tx) =>
      operation.state === 'acknowledged'
        ? operation
        : {
            ...operation,
            state: 'acknowledged',
            answer,
            acknowledged_at: await next(tx, TICK),
            last_error: null,
          },
    )
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
        not_before: 0,
        last_error: null,
      } satisfies Operation)
    })
  }

  /**
   * Says it differently: possible while the server cannot have it, that is before the first attempt
   * or after a refusal. The new words get a key of their own and keep the place in the lane.
   * Resolves to undefined when it was too late.
   */
  edit(id: string, body: unknown): Promise<Operation | undefined> {
    return this.#write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation || !isEditable(operation)) return undefined
      const edited: Operation = {
        ...operation,
        id: this.#ports.random.id(),
        input: { ...operation.input, body },
        state: 'pending',
        attempts: 0,
        not_before: 0,
        last_error: null,
      }
      tx.delete('operations', id)
      tx.put('operations', edited.id, edited)
      for (const other of await operationsIn(tx))
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
  settle(tick: number, covers: (operation: Operation) => boolean): Promise<number> {
    return this.#learn(async (tx) => {
      const settled = (await operationsIn(tx)).filter(
        (one) => one.state === 'acknowledged' && (one.acknowledged_at ?? 0) <= tick && covers(one),
      )
      for (const one of settled) tx.delete('operations', one.id)
      return settled.length
    })
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
