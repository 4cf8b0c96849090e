// The outbox: what the user said, kept until the server has answered for it. Every change is one
// transaction, so a kill at any moment leaves the state before or the state after it.
import {
  ACK_SEQUENCE,
  OPERATION_SEQUENCE,
  OPERATION_VERSION,
  bySequence,
  findDependencies,
  isEditable,
  isSequence,
  nextValue,
  policyOf,
  upcast,
  remainingDelay,
  withDependents,
  type Operation,
  type OperationError,
} from './operation.ts'
import type { CallInput, Ports, Transaction } from './ports.ts'
import { advanceBase, baseOf, Conflicts } from './conflicts.ts'
import { appendSent } from './sent-log.ts'

const readOperations = async (tx: Transaction): Promise<Operation[]> =>
  (await tx.all('operations', []))
    .map(upcast)
    .filter((operation) => operation !== undefined)
    .toSorted(bySequence)

/** Who says what: everything of an operation that the outbox does not decide itself. */
export interface NewOperation {
  endpoint: string
  input: CallInput
  user_id: string
  organisation_id: string | null
  /** The record that an edit changes, as its author saw it. */
  seen?: Record<string, unknown> | undefined
}

export class Outbox {
  readonly conflicts: Conflicts
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
    this.conflicts = new Conflicts(ports)
  }

  /** All operations on the device, of every user, in the order of saying. */
  all(): Promise<Operation[]> {
    return this.#ports.store.transact(['operations'], 'readonly', readOperations)
  }

  /**
   * Keeps what was said. When this resolves it is on the disk and survives a kill: only then may a
   * screen say "Saved on this device". Rejects with StorageFullError when there is no room.
   */
  async enqueue({ seen, ...draft }: NewOperation): Promise<Operation> {
    const { calls, clock, random } = this.#ports
    const policy = policyOf(this.#ports.calls, draft.endpoint)
    const base = baseOf(policy, draft.input, seen)
    return await this.#writeStrict(async (tx) => {
      // Both asked at once: the answer of each waits for whatever the page is drawing.
      const [seq, queued] = await Promise.all([
        nextValue(tx, OPERATION_SEQUENCE),
        readOperations(tx),
      ])
      const operation: Operation = {
        ...draft,
        ...(base && { base }),
        id: random.id(),
        v: OPERATION_VERSION,
        lane: policy.lane(draft.input),
        seq,
        depends_on: findDependencies(draft, queued, calls),
        created_at: new Date(clock.now()).toISOString(),
        state: 'pending',
        attempts: 0,
        not_before: 0,
        last_error: null,
      }
      tx.put('operations', operation.id, operation)
      return operation
    })
  }

  /**
   * Marks operations as being sent, and returns those that still may be: one that was discarded,
   * answered or put off meanwhile, in another tab say, is not sent now.
   */
  claim(ids: readonly string[]): Promise<Operation[]> {
    return this.#writeRelaxed(async (tx) => {
      const claimed: Operation[] = []
      for (const id of ids) {
        const operation = upcast(await tx.get('operations', id))
        if (operation?.state !== 'pending') continue
        if (remainingDelay(operation, this.#ports.clock.now()) > 0) continue
        const attempt = { ...operation, attempts: operation.attempts + 1 }
        tx.put('operations', id, attempt)
        claimed.push(attempt)
      }
      return claimed
    })
  }

  /** These were begun and not sent after all: the server cannot have them. */
  release(ids: readonly string[]): Promise<void> {
    return this.#writeRelaxed(async (tx) => {
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
    return this.#update(id, async (operation, tx) => {
      if (operation.state === 'acknowledged') return operation
      const policy = policyOf(this.#ports.calls, operation.endpoint)
      if (policy.version?.(answer) !== undefined)
        for (const later of await readOperations(tx)) {
          if (later.lane !== operation.lane) continue
          const base = advanceBase(operation, policy, answer, later.base)
          if (base) tx.put('operations', later.id, { ...later, base } satisfies Operation)
        }
      return {
        ...operation,
        state: 'acknowledged',
        answer,
        acknowledged_at: await nextValue(tx, ACK_SEQUENCE),
        sent_at: new Date(this.#ports.clock.now()).toISOString(),
        last_error: null,
      }
    })
  }

  /** Not now: keep it and try again later. */
  postpone(id: string, not_before: number, last_error: OperationError) {
    return this.#update(id, (operation) =>
      operation.state === 'pending' ? { ...operation, not_before, last_error } : operation,
    )
  }

  /** The server said no: somebody has to look at it. */
  reject(id: string, last_error: OperationError) {
    return this.#update(id, (operation) =>
      operation.state === 'pending' ? { ...operation, state: 'attention', last_error } : operation,
    )
  }

  /** Tries a refused operation again as it is. */
  retry(id: string): Promise<void> {
    return this.#writeStrict(async (tx) => {
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
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation || !isEditable(operation)) return undefined
      const input = { ...operation.input, body }
      const previous = { ...operation.base?.fields, ...operation.base }
      const queued = await readOperations(tx)
      const edited: Operation = {
        ...operation,
        id: this.#ports.random.id(),
        input,
        // It may speak of other records now, which may not have been sent either.
        depends_on: findDependencies({ ...operation, input }, queued, this.#ports.calls),
        base: baseOf(policyOf(this.#ports.calls, operation.endpoint), input, seen ?? previous),
        conflict: undefined,
        state: 'pending',
        attempts: 0,
        not_before: 0,
        last_error: null,
      }
      tx.delete('operations', id)
      tx.put('operations', edited.id, edited)
      for (const other of queued)
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
    return this.#writeStrict(async (tx) => {
      const operations = await readOperations(tx)
      const removed = withDependents(operations, id)
      const discarded = operations.filter(
        (one) => removed.has(one.id) && one.state !== 'acknowledged',
      )
      for (const one of discarded) tx.delete('operations', one.id)
      return discarded
    })
  }

  /** Puts back what was taken back, as it was: its keys make that safe, whatever was under way. */
  restore(discarded: readonly Operation[]): Promise<void> {
    return this.#writeStrict(async (tx) => {
      for (const operation of discarded)
        if ((await tx.get('operations', operation.id)) === undefined)
          tx.put('operations', operation.id, operation)
    })
  }

  /** Takes back everything of a user that is not acknowledged: asked for at sign-out. */
  discardAllOf(user_id: string): Promise<void> {
    return this.#writeStrict(async (tx) => {
      for (const one of await readOperations(tx))
        if (one.user_id === user_id) tx.delete('operations', one.id)
    })
  }

  /** Where reads begin: give it to `settle` when the read has landed on the device. */
  async fence(): Promise<number> {
    const lastAck = await this.#ports.store.transact(['operations'], 'readonly', (tx) =>
      tx.get('operations', ACK_SEQUENCE),
    )
    return isSequence(lastAck) ? lastAck : 0
  }

  /**
   * A read that began at `tick` has landed: acknowledged operations that it covers leave. Those
   * acknowledged after it began stay, since the read may not have seen them.
   */
  async prune(fence: number, isCovered: (operation: Operation) => boolean): Promise<number> {
    const { store, clock } = this.#ports
    return await store.transact(['operations', 'cache', 'session'], 'readwrite', async (tx) => {
      const pruned = (await readOperations(tx)).filter(
        (one) =>
          one.state === 'acknowledged' && (one.acknowledged_at ?? 0) <= fence && isCovered(one),
      )
      for (const one of pruned) tx.delete('operations', one.id)
      if (pruned.length > 0) await appendSent(tx, pruned, clock.now())
      return pruned.length
    })
  }

  /** Changes one operation, and returns it as it is now; undefined when it is gone. */
  #update(
    id: string,
    change: (operation: Operation, tx: Transaction) => Operation | Promise<Operation>,
  ): Promise<Operation | undefined> {
    return this.#writeRelaxed(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (!operation) return undefined
      const changed = await change(operation, tx)
      if (changed !== operation) tx.put('operations', id, changed)
      return changed
    })
  }

  /** What the server said can be learnt again by asking again, so it need not be flushed. */
  #writeRelaxed<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'readwrite', work)
  }

  /** What the user said exists nowhere else: it is flushed. */
  #writeStrict<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#ports.store.transact(['operations'], 'strict', work)
  }
}
