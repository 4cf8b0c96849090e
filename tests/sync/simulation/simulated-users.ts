// The actions of simulated users: post, edit, discard, sign in and out.
import { transitionsFrom } from '../../../contract/rules.ts'
import { OUTCOMES } from '../../../contract/values.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { isEditable, type Operation } from '../../../src/sync/core/operation.ts'
import type { Context, ShownRecord } from './context.ts'
import { SimulatedForms } from './users/forms.ts'
import { DeletingUsers } from './users/deletions.ts'
import { RecordUsers } from './users/record-users.ts'
import { ViewUsers } from './users/view-users.ts'
import type { SimulatedDevice } from './random-device.ts'
import { INVALID } from './model/request-rules.ts'
import { ORGANISATIONS, USERS } from './model-server.ts'

/** Runs a user's action; a failure of storage is shown by the screen and ignored here. */
export const attempt = (engine: Engine, work: (engine: Engine) => Promise<unknown>): void =>
  void work(engine).catch(() => undefined)

export class SimulatedUsers {
  readonly #device: SimulatedDevice
  #texts = 0
  readonly #plans = new Map(ORGANISATIONS.map((id) => [id as string, [`${id}-1`, `${id}-2`]]))
  readonly #accounts = new Map(ORGANISATIONS.map((id) => [id as string, [`${id}-a`]]))

  readonly forms: SimulatedForms
  readonly records: RecordUsers
  readonly deletions: DeletingUsers
  readonly views: ViewUsers

  constructor(device: SimulatedDevice) {
    this.#device = device
    const newText = () => this.#newText()
    this.forms = new SimulatedForms(device, newText)
    const accountsOf = (organisation_id: string) => this.#accounts.get(organisation_id) ?? []
    this.records = new RecordUsers(device, { newText, plansOf: this.plansOf, accountsOf })
    this.views = new ViewUsers(device, newText)
    this.deletions = new DeletingUsers(device, {
      newText,
      idsOf: (organisation_id, name) => {
        if (name === 'success_plans') return this.plansOf(organisation_id)
        if (name === 'accounts') return accountsOf(organisation_id)
        return this.records.madeIn(organisation_id, name)
      },
    })
  }

  #newText(): string {
    this.#texts += 1
    return `text ${this.#device.name}${this.#texts}`
  }

  /** The plans of an organisation that this device knows. */
  plansOf = (organisation_id: string): readonly string[] => this.#plans.get(organisation_id) ?? []

  choose(tab: Context, organisation_id: string): void {
    const user_id = tab.engine.session.current().session?.user.id
    if (user_id === undefined) return
    const active_organisation = { id: organisation_id }
    attempt(tab.engine, async ({ session }) => {
      await session.update(user_id, { active_organisation })
      tab.engine.wake()
    })
  }

  #randomTab(): Context | undefined {
    const tabs = this.#device.tabs.filter(({ engine }) => engine.session.current().session)
    return tabs.length > 0 ? this.#device.world.rng.pick(tabs) : undefined
  }

  postUpdate(): void {
    const tab = this.#randomTab()
    const session = tab?.engine.session.current().session
    if (!tab || !session?.active_organisation) return
    const { rng: chance } = this.#device.world
    const organisation_id = session.active_organisation.id
    this.#texts += 1
    const text = `${chance.withProbability(0.06) ? `${INVALID} ` : ''}text ${this.#device.name}${this.#texts}`
    const id = this.#device.newId()
    const plans = this.#plans.get(organisation_id) ?? []
    const accounts = this.#accounts.get(organisation_id) ?? []
    const kind = chance.fraction()
    const say = (
      endpoint: string,
      input: Parameters<Context['enqueue']>[1],
      made?: string[],
      seen?: ShownRecord,
    ) =>
      void tab.enqueue(endpoint, input, seen).then(
        () => made?.push(id),
        () => undefined,
      )
    const written_at = new Date(this.#device.world.now).toISOString()
    const plan_id = chance.pick(plans)
    const path = { id: plan_id }
    const progress = chance.integerBelow(101)
    const seen = tab.shown('success_plans', plan_id)
    if (kind < 0.4 && !tab.offers('success_plans', plan_id)) return
    if (kind < 0.4) say('postPlanUpdate', { path, body: { id, body: text, written_at } })
    else if (kind < 0.6 && seen)
      say('postPlanUpdate', { path, body: { id, body: text, progress, written_at } }, [], seen)
    else if (kind < 0.76 && seen) {
      if (chance.withProbability(0.3)) {
        const transition = this.#transition(seen.seen)
        const body = transition && { id, body: text, ...transition, written_at }
        if (body) say('postPlanUpdate', { path, body }, [], seen)
        return
      }
      const field = chance.withProbability(0.5) ? 'title' : 'description'
      say('updateSuccessPlan', { path, body: { [field]: text } }, [], seen)
    } else if (kind < 0.78) {
      const days = 1 + (this.#texts % 7)
      if (this.#texts % 2 === 0) say('updateUserinfo', { body: { name: text } })
      else say('updateNotificationConsents', { body: { due_lead_days: days } })
    } else if (kind < 0.88) say('createAccount', { body: { id, name: text } }, accounts)
    else {
      const weekends = this.#texts % 3 === 0 && { skip_weekends: true }
      const body = { id, title: text, account_id: accounts.at(-1), ...weekends }
      say('createSuccessPlan', { body }, plans)
    }
  }

  /** A user does a lot, as on a trip. */
  postMany(): void {
    const count = 6 + this.#device.world.rng.integerBelow(12)
    for (let done = 0; done < count; done += 1) this.postUpdate()
  }

  /** A transition that the app offers for a plan as it is shown; undefined without one. */
  #transition({ status }: ShownRecord['seen']) {
    const { rng } = this.#device.world
    const next = transitionsFrom(String(status))
    if (next.length === 0) return undefined
    const to = rng.pick(next)
    return { status: to, ...(to === 'completed' && { outcome: rng.pick(OUTCOMES) }) }
  }

  /** A random operation that this tab shows. */
  #shown(tab: Context, which: (operation: Operation) => boolean): Operation | undefined {
    const user_id = tab.engine.session.current().session?.user.id
    const shown = tab.engine.state.operations
      .get()
      .filter((one) => one.user_id === user_id && which(one))
    return shown.length > 0 ? this.#device.world.rng.pick(shown) : undefined
  }

  edit(): void {
    const tab = this.#randomTab()
    const operation = tab && this.#shown(tab, (one) => isEditable(one) && tab.mayEdit(one))
    if (!operation) return
    this.#texts += 1
    const writtenBody = operation.input.body as Record<string, unknown>
    const names = ['body', 'title', 'description', 'success_criteria', 'name']
    const written = names.find((name) => writtenBody[name] !== undefined)
    const field = written ?? (operation.endpoint === 'postPlanUpdate' ? 'body' : undefined)
    // A tick or a change of status has no text to edit.
    if (field === undefined) return
    const body = { ...writtenBody, [field]: `text ${this.#device.name}${this.#texts} instead` }
    const { ledger } = this.#device
    // A conflict is edited with both values in view.
    if (operation.conflict) ledger.recordCurrentView(operation.id, operation.conflict.theirs)
    // Only its successor takes its place: an edit that came too late removes nothing.
    const isReplaced = ({ id, seq }: Operation, stored: readonly Operation[]) =>
      id === operation.id && stored.some((one) => one.seq === seq)
    attempt(tab.engine, async ({ outbox }) => {
      const edited = await ledger.removals.during(tab, isReplaced, () =>
        outbox.edit(operation.id, body, operation.conflict?.theirs),
      )
      if (edited) ledger.confirm(edited, true)
      await tab.engine.outboxChanged()
    })
  }

  /** Another user, who is always online, edits a plan. */
  editAsAnotherUser(): void {
    const { world, server } = this.#device
    const { rng: chance } = world
    const organisation_id = chance.pick(ORGANISATIONS)
    const fields = [
      { title: `elsewhere ${world.steps}` },
      { description: `elsewhere ${world.steps}` },
      { progress: chance.integerBelow(101) },
    ]
    const other = chance.pick(['accounts', 'initiatives', 'actions'] as const)
    const ids =
      other === 'accounts'
        ? (this.#accounts.get(organisation_id) ?? [])
        : this.records.madeIn(organisation_id, other)
    if (chance.withProbability(0.4) && ids.length > 0) {
      const name = other === 'accounts' ? 'name' : 'title'
      const change = { [name]: `elsewhere ${world.steps}` }
      return server.editRecord(organisation_id, other, chance.pick(ids), change)
    }
    const plan_id = chance.pick(this.#plans.get(organisation_id) ?? [])
    return server.editPlan(organisation_id, plan_id, chance.pick(fields), world.now)
  }

  /** Resolves a conflict, having seen the current record. */
  resolveConflict(): void {
    const tab = this.#randomTab()
    const isKnown = ({ endpoint }: Operation) => tab !== undefined && endpoint in tab.ports.calls
    const operation = tab && this.#shown(tab, (one) => one.conflict !== undefined && isKnown(one))
    if (operation) this.#answer(tab, operation, 0.6)
  }

  /** Keeps the user's own values in all conflicts of an organisation; returns whether there were any. */
  resolveAllConflicts(tab: Context, user_id: string, organisation_id: string): boolean {
    const questions = tab.engine.state.operations
      .get()
      .filter((one) => one.user_id === user_id && one.organisation_id === organisation_id)
      .filter(({ conflict }) => conflict !== undefined)
    for (const operation of questions) this.#answer(tab, operation, 1)
    return questions.length > 0
  }

  #answer(tab: Context, operation: Operation, stubbornness: number): void {
    const { ledger, world } = this.#device
    const { id, conflict } = operation
    const { fields = [], theirs = {} } = conflict ?? {}
    const chosen = fields.filter(() => world.rng.withProbability(stubbornness))
    // A record is deleted or kept as a whole.
    const keep = tab.isDeletion(operation) && chosen.length > 0 ? fields : chosen
    ledger.recordCurrentView(id, theirs, fields)
    const isGivenUp = (gone: Operation) => gone.id === id && keep.length < fields.length
    attempt(tab.engine, async ({ outbox }) => {
      await ledger.removals.during(tab, isGivenUp, () => outbox.conflicts.resolve(operation, keep))
      await tab.engine.outboxChanged()
    })
  }

  resend(): void {
    const tab = this.#randomTab()
    const operation = tab && this.#shown(tab, ({ state }) => state === 'attention')
    if (!operation) return
    attempt(tab.engine, async ({ outbox }) => {
      this.#device.ledger.decided(operation.id)
      await outbox.retry(operation.id)
      await tab.engine.outboxChanged()
    })
  }

  discard(): void {
    const tab = this.#randomTab()
    const operation = tab && this.#shown(tab, ({ state }) => state !== 'acknowledged')
    if (!operation) return
    // Its dependants are discarded with it.
    const gone = new Set([operation.id])
    const isGone = ({ id, depends_on }: Operation) => {
      if (depends_on.some((other) => gone.has(other))) gone.add(id)
      return gone.has(id)
    }
    attempt(tab.engine, async ({ outbox }) => {
      await this.#device.ledger.removals.during(tab, isGone, () => outbox.discard(operation.id))
      await tab.engine.outboxChanged()
    })
  }

  reopen(): void {
    const device = this.#device
    const { world } = device
    if (device.contexts.length < 4) device.open(world.rng.withProbability(0.3) ? 'worker' : 'tab')
    for (const context of device.contexts)
      if (context.state === 'live' && world.rng.withProbability(0.5)) context.wake()
  }

  signOutOrIn(): void {
    const { rng: chance } = this.#device.world
    const tab = this.#randomTab()
    const session = tab?.engine.session.current().session
    if (tab && session && chance.withProbability(0.6)) {
      const unsent = chance.withProbability(0.8) ? 'keep' : 'discard'
      const user_id = session.user.id
      const isDiscarded = (one: Operation) => unsent === 'discard' && one.user_id === user_id
      attempt(tab.engine, (engine) =>
        this.#device.ledger.removals.during(tab, isDiscarded, () => engine.signOut(unsent)),
      )
      return
    }
    const free = this.#device.tabs.find(({ engine }) => !engine.session.current().session)
    if (!free) return
    const user_id = chance.pick(USERS)
    attempt(free.engine, async (engine) => {
      await engine.signIn({
        grant_type: 'password',
        username: user_id,
        password: `secret of ${user_id}`,
      })
      this.choose(free, chance.pick(ORGANISATIONS))
    })
  }

  switch(): void {
    const tab = this.#randomTab()
    if (tab) this.choose(tab, this.#device.world.rng.pick(ORGANISATIONS))
  }
}
