// The outbox: operations that the server has not confirmed yet. Every change is one atomic transaction.
import { replaceBody } from './conflicts/replace-body.ts'
import { countAttempt, noteAttempt, released, retried } from './arrival/attempt.ts'
import { acknowledgeAll, acknowledgeOne, type Arrival } from './arrival/acknowledge.ts'
import { aliasesAt, replaceDraft, resolveWritten, withUnusedId } from './arrival/aliases.ts'
import { creatorsOf, findDependencies } from './replay/dependencies.ts'
import {
  ACK_SEQUENCE,
  OPERATION_SEQUENCE,
  OPERATION_VERSION,
  PRUNED_SEQUENCE,
  isEditable,
  lastValue,
  nextValue,
  policyOf,
  readOperations,
  upcast,
  withDependents,
  type NewOperation,
  type Operation,
  type OperationError,
} from './operation.ts'
import { addressOfWork, isSameServer } from './api/address.ts'
import type { MakeRoomFor, Ports, StoreName, Transaction } from './ports.ts'
import { Conflicts } from './conflicts/conflicts.ts'
import { baseOf } from './conflicts/three-way-merge.ts'
import { appendSent, logDiscarded } from './sent-log.ts'

type Fields = Record<string, unknown>
const LOGGED = ['operations', 'cache', 'session'] as const

/** The queue of operations in the device's storage. All methods reject when storage fails. */
export class Outbox {
  readonly conflicts: Conflicts
  readonly #ports: Ports
  readonly #makeRoomFor: MakeRoomFor

  constructor(ports: Ports, makeRoomFor: MakeRoomFor = (write) => write()) {
    this.#ports = ports
    this.#makeRoomFor = makeRoomFor
    this.conflicts = new Conflicts(ports, (work) => this.write(work, 'strict', LOGGED))
  }

  /** All operations for this server, of every user, in their order. Those for another one stay sealed. */
  async all(): Promise<Operation[]> {
    return (await this.read()).operations
  }

  /** The same, with the aliases of all users there. */
  async read() {
    const { api, store } = this.#ports
    return await store.transact(['operations', 'session'], 'readonly', async (tx) => {
      const [stored, aliases] = await Promise.all([readOperations(tx), aliasesAt(tx, api())])
      return { operations: stored.filter((one) => isSameServer(api(), one.api)), aliases }
    })
  }

  /**
   * Adds an operation and deletes its draft. When this resolves the operation is on the disk: only then may
   * a screen state "Saved on this device". Rejects with StorageFullError when there is no room.
   */
  async enqueue({ draft, ...added }: NewOperation): Promise<Operation> {
    // Safe cast: one for each that is added.
    return (await this.enqueueAll([added], draft))[0] as Operation
  }

  /** Adds operations: all, or none. Each may refer to what those before it create. Otherwise as `enqueue`. */
  async enqueueAll(all: readonly Omit<NewOperation, 'draft'>[], draft?: string[]) {
    const { calls, clock, random } = this.#ports
    const now = clock.now()
    return await this.#writeStrict(async (tx) => {
      // All at once: each result waits until the page has finished rendering.
      const [last, queued, aliases, api] = await Promise.all([
        nextValue(tx, OPERATION_SEQUENCE, all.length),
        readOperations(tx),
        aliasesAt(tx, this.#ports.api()),
        addressOfWork(this.#ports.api(), tx),
      ])
      const creators = creatorsOf(queued, calls)
      return all.map(({ seen, delayMs = 0, ...added }, index): Operation => {
        const policy = policyOf(calls, added.endpoint)
        const input = withUnusedId(added.input, policy, aliases, random)
        const base = baseOf(policy, input, seen)
        const unresolved: Operation = {
          ...added,
          input,
          ...(base && { base }),
          id: random.id(),
          v: OPERATION_VERSION,
          lane: policy.lane(input),
          api,
          seq: last - all.length + 1 + index,
          depends_on: [],
          created_at: new Date(now).toISOString(),
          state: 'pending',
          attempts: 0,
          not_before: delayMs > 0 ? now + delayMs : 0,
          ...(delayMs > 0 && { delayed_at: now }),
          last_error: null,
        }
        const resolved = resolveWritten(unresolved, aliases, creators, calls)
        resolved.depends_on = findDependencies(resolved, creators, calls)
        creators.set(policy.creates?.(resolved.input), [resolved])
        tx.put('operations', resolved.id, resolved)
        return resolved
      })
    }, draft)
  }

  /**
   * Counts an attempt for each operation that can still be sent, and returns those. Where the server
   * recognises no repeat by its key (`keyLifetimeMs` is 0), or not any more, each attempt is noted on its
   * own: see `beginAttempt`.
   */
  claim(ids: readonly string[], keyLifetimeMs = Infinity): Promise<Operation[]> {
    return this.write(async (tx) => {
      const now = this.#ports.clock.now()
      const claimed: Operation[] = []
      for (const id of ids) {
        const operation = await countAttempt(tx, id, keyLifetimeMs, now)
        if (operation) claimed.push(operation)
      }
      return claimed
    })
  }

  /** Takes back the attempt of claimed operations that were not sent. */
  release(ids: readonly string[]): Promise<void> {
    return this.write(async (tx) => {
      for (const id of ids) {
        const operation = upcast(await tx.get('operations', id))
        // Each attempt at a server without keys is noted on its own.
        if (operation?.state === 'pending' && !operation.attempt)
          tx.put('operations', id, released(operation))
      }
    })
  }

  /** Marks an operation as confirmed by the server until a pull has stored its record. Undefined when it is gone. */
  acknowledge(id: string, answer: Record<string, unknown>, arrival: Arrival = {}) {
    return acknowledgeOne(this, id, answer, arrival, this.#ports)
  }

  /** The same for many at once: by id their answers, and then the operations as they are stored. */
  acknowledgeAll(answers: ReadonlyMap<string, Fields>): Promise<ReadonlyMap<string, Operation>> {
    return acknowledgeAll(this, answers, this.#ports)
  }

  /**
   * Notes an attempt at a server without keys, and which records the device knew before the first one. Resolves to
   * undefined when the operation cannot be sent any more, or another context has begun an attempt since it was read.
   * The note is on the disk before the request leaves: without it a repeat would not be recognised.
   */
  beginAttempt(
    operation: Pick<Operation, 'id' | 'attempts'>,
    known: string[] | undefined,
  ): Promise<Operation | undefined> {
    return this.#writeStrict((tx) => noteAttempt(tx, operation, known, this.#ports.clock.now()))
  }

  /** Delays the next attempt until `not_before`, in epoch milliseconds. Undefined when it is gone. */
  postpone(
    id: string,
    not_before: number,
    last_error: Operation['last_error'],
    more?: Partial<Operation>,
  ) {
    const delayed_at = this.#ports.clock.now()
    const delay = { not_before, delayed_at, delayed_by_server: false, last_error, ...more }
    return this.update(id, (operation) =>
      operation.state === 'pending' ? { ...operation, ...delay } : operation,
    )
  }

  /** Marks an operation that the server rejected; the user has to decide. Undefined when it is gone. */
  reject(id: string, last_error: OperationError) {
    return this.update(id, (operation) =>
      operation.state === 'pending' ? { ...operation, state: 'attention', last_error } : operation,
    )
  }

  /** Makes a rejected operation pending again, unchanged and under its key. */
  retry(id: string): Promise<void> {
    return this.#writeStrict(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      if (operation?.state === 'attention') tx.put('operations', id, retried(operation))
    })
  }

  /**
   * Replaces the body of an operation that was never attempted, or was rejected. It gets a new key and keeps its
   * position. `seen` is the record that was shown to the author, for example in a conflict, and `draft` the key of the
   * draft that the edit replaces. Undefined when the server may have the operation already, or it is gone.
   */
  edit(id: string, body: unknown, seen?: Fields, draft?: string[]): Promise<Operation | undefined> {
    const work = (tx: Transaction) => replaceBody(tx, id, body, seen, this.#ports)
    return this.#writeStrict(work, draft, LOGGED)
  }

  /**
   * Removes operations and their dependents; resolves to the removed ones. Those that may have left, see `isEditable`,
   * stay; with `onlyUnsent` also rejected ones that have.
   */
  discard(ids: string | readonly string[], onlyUnsent = false): Promise<Operation[]> {
    const work = async (tx: Transaction) => {
      const queued = await readOperations(tx)
      const chosen = queued.filter(
        (one) =>
          [ids].flat().includes(one.id) && (onlyUnsent ? one.attempts === 0 : isEditable(one)),
      )
      const removed = withDependents(queued, ...chosen.map(({ id }) => id))
      const discarded = queued.filter((one) => removed.has(one.id) && one.state !== 'acknowledged')
      for (const one of discarded) tx.delete('operations', one.id)
      this.conflicts.restoreBases(tx, queued, discarded)
      await logDiscarded(tx, discarded, this.#ports)
      return discarded
    }
    return this.write(work, 'strict', LOGGED)
  }

  /** Undoes `discard`. Safe even if an attempt was under way, as the operations keep their keys. */
  restore(discarded: readonly Operation[]): Promise<void> {
    return this.#writeStrict(async (tx) => {
      const { api, calls } = this.#ports
      const [queued, aliases] = await Promise.all([readOperations(tx), aliasesAt(tx, api())])
      const known = new Set(queued.map(({ id }) => id))
      const waiting = creatorsOf([...queued, ...discarded], calls)
      const restored = discarded
        .filter(({ id }) => !known.has(id))
        .map((one) => resolveWritten(one, aliases, waiting, calls))
      // What they depend on may have been sent or edited meanwhile.
      const creators = creatorsOf([...queued, ...restored], calls)
      for (const one of restored)
        tx.put('operations', one.id, { ...one, depends_on: findDependencies(one, creators, calls) })
    })
  }

  /** The acknowledgement counter before a pull, to be passed to `prune` when the pull is stored. */
  fence(): Promise<number> {
    const work = (tx: Transaction) => lastValue(tx, ACK_SEQUENCE)
    return this.#ports.store.transact(['operations'], 'readonly', work)
  }

  /**
   * Removes the acknowledged operations whose records a pull has stored, and notes them as sent.
   * Operations acknowledged after `fence` stay, as the pull may not contain them. Resolves to the
   * number removed. Frees no space on a full device, which could delete these very records.
   */
  async prune(fence: number, isCovered: (operation: Operation) => boolean): Promise<number> {
    return await this.#ports.store.transact(LOGGED, 'readwrite', async (tx) => {
      const pruned = (await readOperations(tx)).filter(
        (one) =>
          one.state === 'acknowledged' && (one.acknowledged_at ?? 0) <= fence && isCovered(one),
      )
      for (const one of pruned) tx.delete('operations', one.id)
      if (pruned.length === 0) return 0
      const last = await lastValue(tx, PRUNED_SEQUENCE)
      const acknowledged = pruned.map(({ acknowledged_at = 0 }) => acknowledged_at)
      tx.put('operations', PRUNED_SEQUENCE, Math.max(last, ...acknowledged))
      await appendSent(tx, pruned)
      return pruned.length
    })
  }

  /** Changes one operation and resolves to the result; undefined when it is gone. */
  update(
    id: string,
    change: (operation: Operation, tx: Transaction) => Operation | Promise<Operation>,
  ): Promise<Operation | undefined> {
    return this.write(async (tx) => {
      const operation = upcast(await tx.get('operations', id))
      const changed = operation && (await change(operation, tx))
      if (changed && changed !== operation) tx.put('operations', id, changed)
      return changed
    })
  }

  /**
   * Flushed to disk: the user's input exists nowhere else. Deletes `draft` unless `work` resolves to
   * undefined; otherwise what was saved could be offered again after a crash.
   */
  #writeStrict<T>(
    work: (tx: Transaction) => Promise<T>,
    draft?: string[],
    tables: readonly StoreName[] = ['operations', 'session'],
  ): Promise<T> {
    const run = (tx: Transaction) => (draft ? replaceDraft(tx, draft, work) : work(tx))
    return this.write(run, 'strict', draft ? [...tables, 'drafts'] : tables)
  }

  /** Makes room where there is none. Not flushed unless `strict`: a response can be requested again under its key. */
  write<T>(
    work: (tx: Transaction) => Promise<T>,
    mode: 'readwrite' | 'strict' = 'readwrite',
    tables: readonly StoreName[] = ['operations'],
  ): Promise<T> {
    return this.#makeRoomFor(() => this.#ports.store.transact(tables, mode, work))
  }
}
