// What people do with the app: say things, change their minds, come and go.
import type { Engine } from '../../../src/sync/engine.ts'
import type { Operation } from '../../../src/sync/operation.ts'
import { isEditable } from '../../../src/sync/outbox.ts'
import type { Context } from './context.ts'
import type { Device } from './device-of-seed.ts'
import { INVALID, ORGANISATIONS, USERS } from './model-server.ts'

/** What a person asks for; when storage refuses it, the screen says so. */
export const trying = (engine: Engine, work: (engine: Engine) => Promise<unknown>): void =>
  void work(engine).catch(() => undefined)

export class People {
  readonly #device: Device
  #said = 0
  readonly #plans = new Map(ORGANISATIONS.map((id) => [id as string, [`${id}-1`, `${id}-2`]]))
  readonly #accounts = new Map(ORGANISATIONS.map((id) => [id as string, [`${id}-a`]]))

  constructor(device: Device) {
    this.#device = device
  }

  choose(tab: Context, organisation_id: string): void {
    const user_id = tab.engine.session.current().session?.user.id
    if (user_id === undefined) return
    const active_organisation = { id: organisation_id }
    trying(tab.engine, async ({ session }) => {
      await session.update(user_id, { active_organisation })
      tab.engine.wake()
    })
  }

  #aTab(): Context | undefined {
    const tabs = this.#device.tabs.filter(({ engine }) => engine.session.current().session)
    return tabs.length > 0 ? this.#device.world.chance.pick(tabs) : undefined
  }

  say(): void {
    const tab = this.#aTab()
    const session = tab?.engine.session.current().session
    if (!tab || !session?.active_organisation) return
    const { chance } = this.#device.world
    const organisation_id = session.active_organisation.id
    this.#said += 1
    const text = `${chance.happens(0.06) ? `${INVALID} ` : ''}said ${this.#device.name}${this.#said}`
    const id = this.#device.newId()
    const plans = this.#plans.get(organisation_id) ?? []
    const accounts = this.#accounts.get(organisation_id) ?? []
    const kind = chance.fraction()
    const say = (
      endpoint: string,
      input: Parameters<Context['say']>[1],
      made?: string[],
      seen?: ReturnType<Context['seen']>,
    ) =>
      void tab.say(endpoint, input, seen).then(
        () => made?.push(id),
        () => undefined,
      )
    const written_at = new Date(this.#device.world.now).toISOString()
    const plan_id = chance.pick(plans)
    const path = { id: plan_id }
    const progress = chance.below(101)
    const seen = tab.seen(plan_id)
    if (kind < 0.4) say('postPlanUpdate', { path, body: { id, body: text, written_at } })
    else if (kind < 0.6 && seen)
      say('postPlanUpdate', { path, body: { id, body: text, progress, written_at } }, [], seen)
    else if (kind < 0.76 && seen) {
      const field = chance.happens(0.5) ? 'title' : 'description'
      say('updateSuccessPlan', { path, body: { [field]: text } }, [], seen)
    } else if (kind < 0.78) say('updateUserinfo', { body: { name: text } })
    else if (kind < 0.88) say('createAccount', { body: { id, name: text } }, accounts)
    else {
      const body = { id, title: text, account_id: accounts.at(-1) }
      say('createSuccessPlan', { body }, plans)
    }
  }

  /** One of the operations that this tab shows. */
  #shown(tab: Context, which: (operation: Operation) => boolean): Operation | undefined {
    const user_id = tab.engine.session.current().session?.user.id
    const shown = tab.engine.operations.get().filter((one) => one.user_id === user_id && which(one))
    return shown.length > 0 ? this.#device.world.chance.pick(shown) : undefined
  }

  edit(): void {
    const tab = this.#aTab()
    const operation = tab && this.#shown(tab, isEditable)
    if (!operation) return
    this.#said += 1
    const said = operation.input.body as Record<string, unknown>
    const names = ['body', 'title', 'description', 'name']
    const field = names.find((name) => said[name] !== undefined) ?? 'body'
    const body = { ...said, [field]: `said ${this.#device.name}${this.#said} instead` }
    const { ledger } = this.#device
    // A question is edited with both answers before one's eyes.
    if (operation.conflict) ledger.sawNow(operation.id, operation.conflict.theirs)
    ledger.withdraw(({ id }) => id === operation.id)
    trying(tab.engine, async ({ outbox }) => {
      const edited = await outbox.edit(operation.id, body, operation.conflict?.theirs)
      if (edited) ledger.confirm(edited, true)
      await tab.engine.outboxChanged()
    })
  }

  /** Somebody else, who is online all the time, changes a plan. */
  elsewhere(): void {
    const { world, server } = this.#device
    const { chance } = world
    const organisation_id = chance.pick(ORGANISATIONS)
    const fields = [
      { title: `elsewhere ${world.steps}` },
      { description: `elsewhere ${world.steps}` },
      { progress: chance.below(101) },
    ]
    const plan_id = chance.pick(this.#plans.get(organisation_id) ?? [])
    server.editPlan(organisation_id, plan_id, chance.pick(fields))
  }

  /** Answers a question, having seen the record as it is now. */
  answer(): void {
    const tab = this.#aTab()
    const operation = tab && this.#shown(tab, ({ conflict }) => conflict !== undefined)
    if (operation) this.#answer(tab, operation, 0.6)
  }

  /** Stands by all that a tab asks that user about an organisation; whether it asked anything. */
  answerAll(tab: Context, user_id: string, organisation_id: string): boolean {
    const questions = tab.engine.operations
      .get()
      .filter((one) => one.user_id === user_id && one.organisation_id === organisation_id)
      .filter(({ conflict }) => conflict !== undefined)
    for (const operation of questions) this.#answer(tab, operation, 1)
    return questions.length > 0
  }

  #answer(tab: Context, { id, conflict }: Operation, stubbornness: number): void {
    const { ledger, world } = this.#device
    const { fields = [], theirs = {} } = conflict ?? {}
    const keep = fields.filter(() => world.chance.happens(stubbornness))
    ledger.sawNow(id, theirs)
    if (keep.length < fields.length) ledger.withdraw((gone) => gone.id === id)
    trying(tab.engine, async ({ outbox }) => {
      await outbox.conflicts.resolve(id, keep)
      await tab.engine.outboxChanged()
    })
  }

  resend(): void {
    const tab = this.#aTab()
    const operation = tab && this.#shown(tab, ({ state }) => state === 'attention')
    if (!operation) return
    trying(tab.engine, async ({ outbox }) => {
      await outbox.retry(operation.id)
      await tab.engine.outboxChanged()
    })
  }

  discard(): void {
    const tab = this.#aTab()
    const operation = tab && this.#shown(tab, ({ state }) => state !== 'acknowledged')
    if (!operation) return
    // With all that depends on it.
    const gone = new Set([operation.id])
    this.#device.ledger.withdraw(({ id, depends_on }) => {
      if (depends_on.some((other) => gone.has(other))) gone.add(id)
      return gone.has(id)
    })
    trying(tab.engine, async ({ outbox }) => {
      await outbox.discard(operation.id)
      await tab.engine.outboxChanged()
    })
  }

  reopen(): void {
    const device = this.#device
    const { world } = device
    if (device.contexts.length < 4) device.open(world.chance.happens(0.3) ? 'worker' : 'tab')
    for (const context of device.contexts)
      if (context.state === 'live' && world.chance.happens(0.5)) context.wake()
  }

  signOutOrIn(): void {
    const { chance } = this.#device.world
    const tab = this.#aTab()
    const session = tab?.engine.session.current().session
    if (tab && session && chance.happens(0.6)) {
      const unsent = chance.happens(0.8) ? 'keep' : 'discard'
      const user_id = session.user.id
      if (unsent === 'discard') this.#device.ledger.withdraw((entry) => entry.user_id === user_id)
      trying(tab.engine, (engine) => engine.signOut(unsent))
      return
    }
    const free = this.#device.tabs.find(({ engine }) => !engine.session.current().session)
    if (!free) return
    const user_id = chance.pick(USERS)
    trying(free.engine, async (engine) => {
      await engine.signIn({
        grant_type: 'password',
        username: user_id,
        password: `secret of ${user_id}`,
      })
      this.choose(free, chance.pick(ORGANISATIONS))
    })
  }

  switch(): void {
    const tab = this.#aTab()
    if (tab) this.choose(tab, this.#device.world.chance.pick(ORGANISATIONS))
  }
}
