// The observer of the simulation, independent of the engine: records every operation from its first
// commit to its effect on the server, and checks the invariants I1 to I6 and I13 at each step.
import { engineTable } from '../../../contract/engine-table.ts'
import { upcast, type Operation } from '../../../src/sync/core/operation.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { SESSION_KEY, type StoredSession } from '../../../src/sync/core/session-store.ts'
import type { Change } from './simulated-storage.ts'
import {
  asksAsStored,
  isContainedIn,
  mentionsOf,
  type LedgerEntry,
  type Fields,
} from './record-types.ts'
import { QuestionLog } from './question-log.ts'
import { isDone, wrongDeletion } from './ledger/deletions.ts'
import { unseenOverwrite } from './ledger/overwrites.ts'
import { isOtherText, isRejection } from './ledger/rejections.ts'
import { Removals } from './ledger/removals.ts'
import { StepLog } from './ledger/step-log.ts'
import { TokenLog } from './ledger/token-log.ts'
import type { ModelTokens } from './model-tokens.ts'
import type { Effect, ModelServer } from './model-server.ts'
import { answersOf, partsOf } from './model/batch.ts'
import { textOf } from './model/request-rules.ts'
import type { ServerAnswer } from './model-tenant.ts'
import type { SimulatedProcess, SimulatedEnvironment } from './simulated-environment.ts'

/** Requests that begin, renew or end a session: they are of no operation. */
const SESSION_PATHS = new Set(['/oauth/token', '/api/v1/revoke'])

export class Ledger {
  readonly entries = new Map<string, LedgerEntry>()
  readonly counts = {
    confirmed: 0,
    effectApplied: 0,
    refused: 0,
    asked: 0,
  }
  readonly tokens: TokenLog
  /** How often replicas were evicted, by a sign-out or a full device: screens may have gaps afterwards. */
  evictions = 0
  /** False while writes to storage may fail. */
  trustsStorage = true
  readonly #world: SimulatedEnvironment
  readonly #server: ModelServer
  readonly #questions: QuestionLog
  readonly #seqs = new Map<string, number>()
  readonly #byText = new Map<string, LedgerEntry>()
  /** By id of the record: what deletes it. */
  readonly #byDeleted = new Map<string, LedgerEntry>()
  readonly removals = new Removals()
  readonly steps: StepLog
  /** Ids of operations that the server answered with a refusal, or with another text. */
  readonly #refusals = new Set<string>()
  /** Ids of operations that were sent, and of those that were removed before that. */
  readonly #sent = new Set<string>()
  readonly #removedUnsent = new Set<string>()
  readonly #seen = new Map<string, readonly Fields[]>()
  #lanes = new Map<string, number>()

  constructor(world: SimulatedEnvironment, server: ModelServer) {
    this.#world = world
    this.#server = server
    this.tokens = new TokenLog(world)
    this.#questions = new QuestionLog(world, server)
    this.steps = new StepLog(world)
  }

  /** The session in the database. */
  get session(): StoredSession['session'] {
    return this.tokens.session
  }

  /** Whether the effect belongs to an operation of this device. */
  isKnown({ key, text, deletion }: Effect): boolean {
    const isByWords = deletion ? this.#byDeleted.has(deletion.record.id) : this.#byText.has(text)
    return this.entries.has(key ?? '') || isByWords
  }

  /** Records the views of a record that the author of the next operation has seen: replica and screen. */
  recordView(input: unknown, ...seen: readonly Fields[]): void {
    this.#seen.set(JSON.stringify(input), seen)
  }

  /** A user resolves a conflict having seen the current record; of an edit only the `asked` fields. */
  recordCurrentView(id: string, theirs: Fields, asked?: readonly string[]): void {
    const entry = this.entries.get(id)
    const shown = Object.fromEntries((asked ?? []).map((name) => [name, theirs[name]]))
    const isWhole = asked === undefined || entry?.deletes !== undefined
    const merged = isWhole ? undefined : entry?.seen?.map((view) => ({ ...view, ...shown }))
    if (entry) entry.seen = merged ?? [theirs]
    this.decided(id)
  }

  /** A user decides that an operation is to be sent, whatever the same user has written since. */
  decided(id: string): void {
    const entry = this.entries.get(id)
    if (entry) entry.decided_at = this.#world.now
  }

  /** The screen showed "Saved on this device". */
  confirm(operation: Operation, isStored: boolean): void {
    const entry = this.#addEntry(operation)
    entry.confirmed = true
    this.counts.confirmed += 1
    if (!isStored && !isDone(entry, this.#server) && !entry.discarded)
      this.#world.fail('I1', `“${entry.text}” was confirmed and is not on the device`)
  }

  /** A screen said that an operation was removed before it left. */
  takenBack(id: string): void {
    this.#removedUnsent.add(id)
  }

  /** After a power cut or a kill: only what is in storage now is left. */
  checkSurvivors(operations: readonly unknown[]): void {
    const ids = new Set(operations.map((value) => upcast(value)?.id))
    for (const entry of this.entries.values())
      if (entry.confirmed && !ids.has(entry.id) && !isDone(entry, this.#server) && !entry.discarded)
        this.#world.fail('I1', `“${entry.text}” did not survive`)
  }

  /** A transaction is complete. */
  transactionCommitted(
    owner: SimulatedProcess,
    changes: readonly Change[],
    cacheKeys: () => readonly unknown[],
  ): void {
    this.steps.check(changes, (text) => this.#byText.has(text))
    for (const change of changes) {
      if (change.table === 'operations') this.#operationChanged(owner, change, changes)
      if (isSessionChange(change))
        if (this.tokens.sessionChanged(owner, change.after as StoredSession)) {
          this.evictions += 1
          this.#questions.signedOut()
        }
    }
    const user_id = this.session?.user.id
    const isSession = changes.some(isSessionChange)
    const wiped = changes.every(({ table, after }) => table === 'cache' && after === undefined)
    if (wiped && changes.length > 0) this.evictions += 1
    for (const { table, key, after } of changes)
      if (table === 'cache' && after !== undefined && key[0] !== user_id)
        this.#world.fail('I6', `${owner.name} wrote ${String(key)} while ${user_id} was signed in`)
    if (isSession)
      for (const key of cacheKeys())
        if ((key as string[])[0] !== user_id)
          this.#world.fail('I6', `${String(key)} is readable while ${user_id} is signed in`)
  }

  #operationChanged(
    owner: SimulatedProcess,
    { before, after }: Change,
    changes: readonly Change[],
  ): void {
    const was = upcast(before)
    const is = upcast(after)
    if (is && !was) {
      const entry = this.#addEntry(is)
      this.#world.log(owner.name, () => `stores “${entry.text}” as ${is.id}, seq ${is.seq}`)
    }
    if (is) {
      const entry = this.#addEntry(is)
      if (JSON.stringify(is.input) !== entry.input)
        this.#world.fail('I1', `“${entry.text}” reads differently now`)
      if (is.user_id !== entry.user_id) this.#world.fail('I4', `“${entry.text}” has another author`)
      if (is.state === 'attention' && was?.state !== 'attention') {
        entry.rejected = true
        this.counts[is.conflict ? 'asked' : 'refused'] += 1
        const isOwn = (id: string) => this.entries.get(id)?.user_id === is.user_id
        if (is.conflict) this.#questions.checkCause(is, isOwn)
        else if (!this.#refusals.has(is.id))
          this.#world.fail('I13', `“${entry.text}” needs attention and the server refused nothing`)
        this.#world.log(
          owner.name,
          () => `“${entry.text}” needs attention: ${is.last_error?.message}`,
        )
      }
      if (is.not_before !== was?.not_before) entry.told = undefined
      this.#questions.changed(is, entry, this.entries.values())
      if (is.state === 'acknowledged' && was?.state !== 'acknowledged') {
        if (!isDone(entry, this.#server))
          this.#world.fail('I1', `“${entry.text}” is acknowledged and the server never had it`)
        // There was nothing to delete. A late duplicate may find what has been made since.
        if (entry.deletes !== undefined && entry.applied === 0) entry.rejected = true
      }
    }
    if (was && !is) {
      const entry = this.#addEntry(was)
      this.#world.log(owner.name, () => `removes “${entry.text}”, which was ${was.state}`)
      this.#questions.ended(was, changes.some(isSessionChange))
      // An attempt is counted before its request is sent.
      if (was.attempts === 0 && !this.#sent.has(was.id)) this.#removedUnsent.add(was.id)
      const stored = changes
        .map((change) => upcast(change.after))
        .filter((one) => one !== undefined)
      const instead = stored.filter((one) => one.lane === was.lane)
      if (this.removals.allow(owner, was, stored)) entry.discarded = true
      else if (
        isContainedIn(
          was,
          instead,
          this.#questions.givenUp(was, entry, changes, this.entries.values()),
        )
      ) {
        entry.discarded = true
        for (const one of instead) this.#addEntry(one).seen ??= entry.seen
      } else if (!isDone(entry, this.#server))
        this.#world.fail('I1', `“${entry.text}” is gone and the server never had it`)
    }
  }

  #addEntry(operation: Operation): LedgerEntry {
    const known = this.entries.get(operation.id)
    if (known) return known
    const { id, input, user_id, organisation_id, lane } = operation
    const body = input.body as Record<string, string> | undefined
    const deletes = engineTable.calls[operation.endpoint as 'deleteAction']?.offlinePolicy?.deletes
    const entry: LedgerEntry = {
      id,
      endpoint: operation.endpoint,
      order: this.entries.size,
      text: textOf(body),
      input: JSON.stringify(input),
      user_id,
      organisation_id,
      lane: JSON.stringify([user_id, organisation_id, lane]),
      creates: operation.endpoint === 'updateAction' ? undefined : body?.id,
      deletes: deletes?.(input),
      mentions: mentionsOf(operation),
      confirmed: false,
      storedAt: this.counts.effectApplied,
      applied: 0,
      appliedAt: 0,
      committed_at: this.#world.now,
      decided_at: 0,
      effect: undefined,
      rejected: false,
      waited: false,
      passed_by: -1,
      discarded: false,
      replaced: false,
      not_before: 0,
      told: undefined,
      seen: this.#seen.get(JSON.stringify(input)),
    }
    const inLane = [...this.entries.values()].filter((other) => other.lane === entry.lane)
    const seqOf = (other: LedgerEntry) => this.#seqs.get(other.id) ?? NaN
    // An edited operation keeps the position of the one it replaces.
    const replaced = inLane.findLast((other) => seqOf(other) === operation.seq)
    // The rest of one that was split stands right behind it.
    const before = inLane.filter((other) => seqOf(other) < operation.seq)
    const isBehind = inLane.some((other) => seqOf(other) > operation.seq)
    if (replaced) entry.order = replaced.order
    else if (isBehind && before.length > 0)
      entry.order = Math.max(...before.map((other) => other.order)) + 0.5
    if (replaced?.rejected) entry.rejected = true
    if (replaced) entry.passed_by = this.#passedBy(replaced, inLane)
    if (replaced?.seen) entry.seen = replaced.seen
    if (replaced) replaced.replaced = true
    this.#seqs.set(id, operation.seq)
    this.entries.set(id, entry)
    this.#byText.set(entry.text, entry)
    if (entry.deletes !== undefined) this.#byDeleted.set(entry.deletes, entry)
    return entry
  }

  /** The last position of the lane that may have passed an edit while it waited for the answer to a question. */
  #passedBy({ waited, passed_by }: LedgerEntry, inLane: readonly LedgerEntry[]): number {
    const sent = inLane.filter(({ id }) => waited && this.#sent.has(id))
    return Math.max(passed_by, ...sent.map(({ order }) => order))
  }

  /** A context may not know, or not know by its clock, how long the server asked to wait. */
  allowEarlyRetries(): void {
    for (const entry of this.entries.values()) entry.not_before = 0
  }

  /** By key; a request without its key is found by its text, or by the record that it deletes. */
  #entryOf({ url, headers, body, method }: NetworkRequest): LedgerEntry | undefined {
    if (SESSION_PATHS.has(url)) return undefined
    const known = this.entries.get(headers['Idempotency-Key'] ?? '')
    if (known) return known
    if (method === 'DELETE') return this.#byDeleted.get(url.split('/').at(-1) ?? '')
    return body === undefined ? undefined : this.#byText.get(textOf(JSON.parse(body)))
  }

  /** A context sends a request. */
  requestSent(owner: SimulatedProcess, request: NetworkRequest): void {
    this.tokens.requestSent(owner, request)
    for (const part of partsOf(request)) {
      const entry = this.#entryOf(part)
      if (!entry) continue
      this.#sent.add(entry.id)
      if (!asksAsStored(part, entry))
        this.#world.fail('I1', `“${entry.text}” is sent without what it asks of the server`)
      if (this.#removedUnsent.has(entry.id))
        this.#world.fail('I2', `“${entry.text}” is sent though it was removed before`)
      if (this.#world.now < entry.not_before && (entry.told ?? owner) === owner)
        this.#world.fail('R6', `“${entry.text}” is sent before its time`)
    }
  }

  /** An answer reached a context. */
  responseCreated(
    owner: SimulatedProcess,
    request: NetworkRequest,
    answer: ServerAnswer,
    now: number,
  ): void {
    for (const { request: part, answer: own, isWhole } of answersOf(request, answer)) {
      const entry = this.#entryOf(part)
      const wait = own.headers['retry-after']
      // What refuses a whole batch says nothing about its operations.
      if (entry && !isWhole && (isRejection(own) || isOtherText(part, own)))
        this.#refusals.add(entry.id)
      if (!entry || wait === undefined || !this.trustsStorage) continue
      entry.not_before = now + Number(wait) * 1_000
      entry.told = owner
    }
    this.tokens.responseCreated(request, answer.status)
  }

  /** A request reached the server, for the first time or as a duplicate. */
  requestArrived(request: NetworkRequest, tokens: ModelTokens, now: number): void {
    const { method, headers, url } = request
    if (method === 'GET' || SESSION_PATHS.has(url)) return
    const user_id = tokens.userOf(headers.Authorization, now)
    const entry = this.#entryOf(request)
    if (!entry) return this.#world.fail('I2', `${method} ${url} is of no operation`)
    if (user_id !== undefined && user_id !== entry.user_id)
      this.#world.fail('I4', `“${entry.text}” of ${entry.user_id} is sent as ${user_id}`)
    // What belongs to no organisation may be sent in any.
    if (entry.organisation_id !== null && headers['X-organisation'] !== entry.organisation_id)
      this.#world.fail('I5', `“${entry.text}” is sent to ${headers['X-organisation']}`)
    for (const other of this.entries.values())
      if (other !== entry && other.creates !== undefined && entry.mentions.includes(other.creates))
        if (other.applied === 0 && !other.discarded && other.user_id === entry.user_id)
          this.#world.fail('I3', `“${entry.text}” is sent before “${other.text}”, which it needs`)
  }

  /** A write took effect on the server. */
  applied(effect: Effect): void {
    const { deletion } = effect
    const byWords = deletion
      ? this.#byDeleted.get(deletion.record.id)
      : this.#byText.get(effect.text)
    const entry = this.entries.get(effect.key ?? '') ?? byWords
    this.#world.log('server', () => `takes “${effect.text}” from ${effect.user_id}`)
    if (!entry) return this.#world.fail('I2', `“${effect.text}” took effect for no operation`)
    entry.applied += 1
    this.counts.effectApplied += 1
    entry.appliedAt = this.counts.effectApplied
    const { version, moves } = effect
    entry.effect = version === undefined ? undefined : { version, moves }
    // A late duplicate of a rejected operation may still be accepted; its replacement is checked then.
    if (entry.replaced && !entry.rejected)
      this.#world.fail('I2', `“${entry.text}” arrived after it was edited`)
    if (entry.applied > 1) this.#world.fail('I2', `“${entry.text}” took effect twice`)
    if (effect.text !== entry.text && !deletion)
      this.#world.fail('I1', `“${entry.text}” became “${effect.text}”`)
    if (effect.user_id !== entry.user_id) this.#world.fail('I4', `“${entry.text}” is another’s now`)
    if (effect.organisation_id !== entry.organisation_id)
      this.#world.fail('I5', `“${entry.text}” went to ${effect.organisation_id}`)
    const unseen = unseenOverwrite(entry, effect, this.entries.values())
    if (unseen) this.#world.fail('R9', unseen)
    const wrong = deletion && wrongDeletion(entry, deletion, effect, [...this.entries.values()])
    if (wrong) this.#world.fail('R10', wrong)
    if (entry.discarded || entry.rejected || entry.waited) return
    const last = this.#lanes.get(entry.lane) ?? -1
    // What has passed an edit while it waited has passed the one that replaces it as well.
    if (entry.order < last && entry.passed_by < last)
      this.#world.fail('I3', `“${entry.text}” came after a later operation`)
    this.#lanes.set(entry.lane, Math.max(last, entry.order))
  }
}

/** The capabilities of the server are stored beside the session. */
const isSessionChange = ({ table, key }: Change) => table === 'session' && key === SESSION_KEY
