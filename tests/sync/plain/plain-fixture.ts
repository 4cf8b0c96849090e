// A device in front of the plain server: real engines, real database code, no server of ours.
import { expect, onTestFinished } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { PlainApi } from '../../plain-server/plain-api.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import type { PlainUser } from '../../plain-server/plain-tokens.ts'
import type { Store } from '../../../src/sync/core/ports.ts'
import { EngineFixture, waitFor } from '../engine-fixture.ts'

export class PlainFixture extends EngineFixture {
  readonly plain: PlainApi

  constructor(
    options: Partial<PlainOptions> = {},
    seed = { accounts: 3, plans: 40 },
    store?: (real: Store) => Store,
  ) {
    super(store)
    this.plain = new PlainApi(options, seed)
    this.network = this.answer
    onTestFinished(() => this.close())
  }

  /** The plain server's answer to a request. */
  readonly answer = (request: Parameters<EngineFixture['network']>[0]) => this.plain.handle(request)

  /** How far the device's clock is ahead. */
  aheadMs = 0

  override now(): number {
    return super.now() + this.aheadMs
  }

  /** Lets time pass until nothing is pending any more. */
  async settled(engine: Engine): Promise<void> {
    await waitFor(async () => {
      const pending = (await engine.outbox.all()).filter(({ state }) => state === 'pending')
      const waits = pending.map(({ not_before }) => not_before - Date.now())
      this.aheadMs = Math.max(this.aheadMs, ...waits)
      engine.wake()
      expect(pending).toEqual([])
    })
  }

  /** A tab in which Ana has signed in, and works in the organisation; its lists are being read. */
  async anasTab(): Promise<Engine> {
    return await this.#signedInAs(this.plain.users[0])
  }

  /** The same for Ben, who joins the organisation. */
  async bensTab(): Promise<Engine> {
    const ben = this.plain.addUser('Ben Plain', 'ben@plain.test', 'another plain password')
    const [organisation] = this.plain.records.tables.organisations
    if (organisation) this.plain.addMember(organisation, ben)
    return await this.#signedInAs(ben)
  }

  async #signedInAs(user: PlainUser | undefined): Promise<Engine> {
    const { email = '', id: user_id = '', password = '' } = user ?? {}
    const engine = await this.tab()
    const signedIn = await engine.signIn({ grant_type: 'password', username: email, password })
    if (!signedIn.ok) throw new Error(`${email} could not sign in: ${signedIn.reason}`)
    const id = this.plain.records.tables.organisations[0]?.id ?? ''
    await engine.session.update(user_id, { active_organisation: { id } })
    engine.wake()
    return engine
  }

  /** Another tab, or the app opened again, with the session that is stored. */
  async reopened(): Promise<Engine> {
    return await this.tab()
  }

  /** A tab in which all lists have been read. */
  async readTab(): Promise<Engine> {
    const engine = await this.anasTab()
    await engine.pullScheduler.pull()
    return engine
  }
}

/** The records of a collection on the device. */
export const stored = async (engine: Engine, name: string) =>
  (await engine.activeReplica()?.collection(name)) ?? []
