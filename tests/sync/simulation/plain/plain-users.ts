// Users in front of a plain server: they write updates, make and edit records, take back and decide.
import type { Operation } from '../../../../src/sync/core/operation.ts'
import { formOf } from './open-form.ts'
import type { PlainDevice } from './plain-device.ts'
import type { Kind, PlainTab } from './plain-tab.ts'
import { textOf } from './plain-ledger.ts'

const DELETE_CALLS = {
  accounts: 'deleteAccount',
  success_plans: 'deleteSuccessPlan',
  initiatives: 'deleteInitiative',
  actions: 'deleteAction',
} as const

/** Runs a user's action; a failure of storage is shown by the screen and ignored here. */
export const attempt = (work: Promise<unknown>): void => void work.catch(() => undefined)

export class PlainUsers {
  readonly #device: PlainDevice
  #texts = 0
  /** By server, organisation and kind: ids that this device knows. */
  readonly #known = new Map<string, string[]>()
  #last: { plan_id: string; text: string; place: string } | undefined

  constructor(device: PlainDevice) {
    this.#device = device
  }

  #newText(): string {
    this.#texts += 1
    const text = `text ${this.#device.name}${this.#texts}`
    if (this.#device.model.api.options.text !== 'sanitised') return text
    return [text, `<b>${text}</b>  of me`, `${text} & more`][this.#texts % 3] ?? text
  }

  choose(tab: PlainTab, organisation_id: string): void {
    const user_id = tab.engine.session.caller()?.user_id
    if (user_id === undefined) return
    const active_organisation = { id: organisation_id }
    attempt(
      tab.engine.session.update(user_id, { active_organisation }).then(() => tab.engine.wake()),
    )
  }

  async signIn(tab: PlainTab, user_id: string, organisation_id: string): Promise<void> {
    await tab.engine.signIn(tab.model.credentials(user_id))
    this.choose(tab, organisation_id)
  }

  #randomTab(): PlainTab | undefined {
    const tabs = this.#device.tabs.filter(({ engine }) => engine.activeReplica() !== undefined)
    return tabs.length > 0 ? this.#device.world.rng.pick(tabs) : undefined
  }

  /** The ids of that kind that the users of this tab know: the server's first ones, and their own. */
  #idsOf(tab: PlainTab, kind: Kind): string[] {
    const organisation_id = tab.engine.activeReplica()?.scope.organisation_id ?? ''
    const place = `${tab.model.name} ${organisation_id} ${kind}`
    const table = kind === 'success_plans' ? 'success-plans' : kind
    const ids =
      this.#known.get(place) ?? tab.model.records(table, organisation_id).map(({ id }) => id)
    this.#known.set(place, ids)
    return ids
  }

  /** Those of them that the tab shows. */
  #shownIds(tab: PlainTab, kind: Kind): string[] {
    return this.#idsOf(tab, kind).filter((id) => tab.shown(kind, id) !== undefined)
  }

  #make(tab: PlainTab, kind: Kind, endpoint: string, body: object): void {
    const id = this.#device.newId()
    const ids = this.#idsOf(tab, kind)
    attempt(
      tab.enqueue(endpoint, { body: { id, ...body } }).then(() => {
        ids.push(id)
        if (this.#device.hasForms) this.#useForm(tab, kind, id)
      }),
    )
  }

  /** One action of a user who works. */
  work(): void {
    const tab = this.#randomTab()
    if (!tab) return
    const { rng } = this.#device.world
    const pick = (kind: Kind) => {
      const ids = this.#shownIds(tab, kind)
      // Mostly what was made last, which may still have a local id.
      return rng.withProbability(0.4) ? ids.at(-1) : ids.length > 0 ? rng.pick(ids) : undefined
    }
    const plan_id = pick('success_plans')
    const kind = rng.fraction()
    if (kind < 0.35 && plan_id !== undefined) this.#postUpdate(tab, plan_id)
    else if (kind < 0.45) this.#make(tab, 'accounts', 'createAccount', { name: this.#newText() })
    else if (kind < 0.55) {
      const body = { title: this.#newText(), account_id: pick('accounts') }
      // Not drawn, so that the stories of the noted seeds stay as they are. No record ever shows it.
      const weekends = this.#texts % 3 === 0 && { skip_weekends: true }
      this.#make(tab, 'success_plans', 'createSuccessPlan', { ...body, ...weekends })
    } else if (kind < 0.63) {
      const body = { title: this.#newText(), success_plan_id: plan_id }
      this.#make(tab, 'initiatives', 'createInitiative', body)
    } else if (kind < 0.73) {
      const initiative_id = rng.withProbability(0.6) ? pick('initiatives') : undefined
      const parent = initiative_id === undefined ? { success_plan_id: plan_id } : { initiative_id }
      this.#make(tab, 'actions', 'createAction', { title: this.#newText(), ...parent })
    } else if (kind < 0.82) this.#edit(tab, 'updateSuccessPlan', 'success_plans', plan_id, 'title')
    else if (kind < 0.88) this.#edit(tab, 'updateAccount', 'accounts', pick('accounts'), 'name')
    else if (kind < 0.92)
      this.#edit(tab, 'updateInitiative', 'initiatives', pick('initiatives'), 'title')
    else this.#editAction(tab, pick('actions'))
  }

  /**
   * An update, sometimes with a new progress, and sometimes in the same words as the last one, or as one that the
   * same user has posted from elsewhere. Of two devices only one says such words: a twin that a device has not
   * read may be taken for its own.
   */
  #postUpdate(tab: PlainTab, plan_id: string): void {
    const { rng, now } = this.#device.world
    const { user_id, organisation_id } = tab.engine.activeReplica()?.scope ?? {}
    const place = `${tab.model.name} ${user_id} ${organisation_id}`
    const isTwin =
      this.#last?.place === place &&
      tab.shown('success_plans', this.#last.plan_id) !== undefined &&
      rng.withProbability(this.#device.mutation.repeated ?? 0.25)
    const elsewhere = this.#device.name === 'a' ? tab.updatesFromElsewhere() : []
    const known = isTwin
      ? this.#last
      : elsewhere.length > 0 && rng.withProbability(0.4)
        ? rng.pick(elsewhere)
        : undefined
    const text = known?.text ?? this.#newText()
    const path = { id: known?.plan_id ?? plan_id }
    this.#last = { plan_id: path.id, text, place }
    const written_at = new Date(now).toISOString()
    const seen = tab.shown('success_plans', path.id)
    const id = this.#device.newId()
    const progress = rng.integerBelow(101)
    const withProgress = seen && !known && rng.withProbability(0.3)
    const body = { id, body: text, written_at, ...(withProgress && { progress }) }
    attempt(tab.enqueue('postPlanUpdate', { path, body }, withProgress ? seen : undefined))
  }

  #edit(tab: PlainTab, endpoint: string, kind: Kind, id: string | undefined, field: string): void {
    const seen = id === undefined ? undefined : tab.shown(kind, id)
    if (!seen) return
    const { rng } = this.#device.world
    const name = kind === 'success_plans' && rng.withProbability(0.4) ? 'description' : field
    const input = { path: { id: seen.id }, body: { [name]: this.#newText() } }
    attempt(tab.enqueue(endpoint, input, seen))
  }

  /** Ticks an action, or gives it another title. */
  #editAction(tab: PlainTab, id: string | undefined): void {
    const seen = id === undefined ? undefined : tab.shown('actions', id)
    if (!seen) return
    const { rng, now } = this.#device.world
    const isDone = seen.status === 'done'
    const tick = isDone
      ? { status: 'todo' }
      : { status: 'done', completed_at: new Date(now).toISOString() }
    const change = rng.withProbability(0.6) ? tick : { title: this.#newText() }
    attempt(tab.enqueue('updateAction', { body: { id: seen.id, ...change } }, seen))
  }

  /** What was just made is opened in another tab too, where its form is saved a while later. */
  #useForm(maker: PlainTab, kind: Kind, id: string): void {
    const { world } = this.#device
    const { rng } = world
    world.schedule(rng.numberBetween(1, 500), () => {
      const others = this.#device.tabs.filter((tab) => tab !== maker && tab.shown(kind, id))
      if (others.length === 0) return
      const save = formOf(rng.pick(others), kind, id, this.#newText())
      world.schedule(rng.numberBetween(1_000, 60_000), () => attempt(save()))
    })
  }

  /** Deletes a record that a tab shows. Some plans and accounts stay, so that there is something to work on. */
  delete(): void {
    const tab = this.#randomTab()
    if (!tab) return
    const { rng } = this.#device.world
    const kind = rng.pick(Object.keys(DELETE_CALLS) as Kind[])
    const ids = this.#shownIds(tab, kind)
    const spared = kind === 'success_plans' || kind === 'accounts' ? 2 : 0
    const seen = ids.length > spared ? tab.shown(kind, rng.pick(ids)) : undefined
    if (!seen || !tab.isStored(kind, seen.id)) return
    const isNamed = (one: 'success_plans' | 'initiatives' | 'actions') =>
      this.#shownIds(tab, one).some((id) => tab.shown(one, id)?.account_id === seen.id)
    if (kind === 'accounts' && (isNamed('success_plans') || isNamed('actions'))) return
    attempt(tab.delete(DELETE_CALLS[kind], `deletion, ${this.#newText()}`, seen))
  }

  #pickShown(tab: PlainTab, which: (operation: Operation) => boolean): Operation | undefined {
    const scope = tab.engine.activeReplica()?.scope
    const shown = tab.engine.state.operations
      .get()
      .filter((one) => one.user_id === scope?.user_id && which(one))
    return shown.length > 0 ? this.#device.world.rng.pick(shown) : undefined
  }

  /** Takes back something that was not confirmed yet. */
  discard(): void {
    const tab = this.#randomTab()
    const operation = tab && this.#pickShown(tab, ({ state }) => state !== 'acknowledged')
    if (tab && operation) this.#discard(tab, operation)
  }

  #discard(tab: PlainTab, operation: Operation): void {
    const gone = new Set([operation.id])
    const isGone = ({ id, depends_on }: Operation) => {
      if (depends_on.some((other) => gone.has(other))) gone.add(id)
      return gone.has(id)
    }
    const { ledger } = this.#device
    attempt(
      ledger.removals
        .during(tab, isGone, () => tab.engine.outbox.discard(operation.id))
        .then(() => tab.engine.outboxChanged()),
    )
  }

  /** Decides about everything that needs a person; returns whether there was anything. */
  decideAll(tab: PlainTab): boolean {
    const user_id = tab.engine.session.caller()?.user_id
    const questions = tab.engine.state.operations
      .get()
      .filter((one) => one.user_id === user_id && one.state === 'attention')
    for (const one of questions) this.#decide(tab, one)
    return questions.length > 0
  }

  decide(): void {
    const tab = this.#randomTab()
    const operation = tab && this.#pickShown(tab, ({ state }) => state === 'attention')
    if (tab && operation) this.#decide(tab, operation)
  }

  /** The person looks at the server before saying that it is sent once more. */
  #decide(tab: PlainTab, operation: Operation): void {
    const { engine } = tab
    const { ledger } = this.#device
    const { conflict, id, input } = operation
    if (conflict) {
      ledger.deletions.answered(id, conflict.theirs)
      ledger.edits.answered(conflict.theirs)
      ledger.repeated(operation)
      attempt(
        ledger.removals
          .during(
            tab,
            (one) => one.id === id,
            () => engine.outbox.conflicts.resolve(operation, conflict.fields),
          )
          .then(() => engine.outboxChanged()),
      )
      return
    }
    const said = ledger.said.get(textOf(input.body) ?? '')
    const isThere = said !== undefined && said.records > said.acknowledged
    if (isThere || (said?.repeated ?? 9) >= 3) return this.#discard(tab, operation)
    ledger.repeated(operation)
    attempt(engine.outbox.retry(id).then(() => engine.outboxChanged()))
  }

  signOutOrIn(): void {
    const { rng } = this.#device.world
    const { ledger } = this.#device
    const tab = this.#randomTab()
    const user_id = tab?.engine.session.caller()?.user_id
    if (tab && rng.withProbability(0.6)) {
      const unsent = rng.withProbability(0.85) ? 'keep' : 'discard'
      const isDiscarded = (one: Operation) => unsent === 'discard' && one.user_id === user_id
      attempt(ledger.removals.during(tab, isDiscarded, () => tab.engine.signOut(unsent)))
      return
    }
    const free = this.#device.tabs.find(({ engine }) => !engine.session.caller())
    if (!free) return
    const { id } = rng.pick(free.model.users)
    attempt(this.signIn(free, id, rng.pick(free.model.organisations)))
  }

  switch(): void {
    const tab = this.#randomTab()
    if (tab) this.choose(tab, this.#device.world.rng.pick(tab.model.organisations))
  }

  reopen(): void {
    const { rng } = this.#device.world
    if (this.#device.contexts.length < 4)
      this.#device.open(rng.withProbability(0.3) ? 'worker' : 'tab')
    for (const context of this.#device.contexts)
      if (context.state === 'live' && rng.withProbability(0.5)) context.wake()
  }
}
