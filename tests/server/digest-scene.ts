// An organisation on a Sunday evening, before the morning in which digests are sent.
import { v7 as uuidv7 } from 'uuid'
import { sendDigests } from '../../server/outside/digest.ts'
import { ApiFixture, type ApiUser } from './world.ts'

/** A Monday. */
const MONDAY = Date.parse('2026-03-02T00:00:00.000Z')
const DAY = 86_400
const WEEK = 7 * DAY

export class DigestFixture {
  readonly world: ApiFixture
  /** The owner, who makes news. */
  mia!: ApiUser
  /** A member, who reads them. */
  jonas!: ApiUser

  private constructor(world: ApiFixture) {
    this.world = world
  }

  static async open(): Promise<DigestFixture> {
    return new DigestFixture(
      await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 3_600 * DAY } }),
    )
  }

  /** The Sunday evening before some Monday, and people of their own. */
  async reset(): Promise<void> {
    const { world } = this
    // Those of the test before are not written to any more.
    await world.database.system((tx) =>
      tx
        .insertInto('notification_consents')
        .columns(['user_id', 'email', 'digest', 'due_lead_days'])
        .expression((row) =>
          row
            .selectFrom('users')
            .select((user) => [
              'id',
              user.val('{}').$castTo<never>().as('email'),
              user.val('off').as('digest'),
              user.val(1).as('due_lead_days'),
            ]),
        )
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ digest: 'off' }))
        .execute(),
    )
    const since = Math.floor((world.now.getTime() - MONDAY) / 1000)
    world.advance({ seconds: (Math.floor(since / WEEK) + 1) * WEEK - 3 * 3600 - since })
    this.mia = await world.createOwner('Mia')
    this.jonas = await world.addMember(
      await world.createUser('Jonas'),
      this.mia.organisation,
      'member',
    )
  }

  send(): Promise<void> {
    const { world } = this
    return sendDigests({
      database: world.database,
      mail: world.mail,
      publicUrl: () => 'https://cairn.example.com',
      now: () => world.now,
    })
  }

  /** Lets it become eight in the morning, in UTC, `days` on; and what `person` gets then. */
  async digestNextMorning(person = this.jonas, days = 1): Promise<string | undefined> {
    const seconds = this.world.now.getTime() / 1000
    const midnight = Math.floor(seconds / DAY) * DAY
    this.world.advance({ seconds: midnight + days * DAY + 8 * 3600 - seconds })
    return this.digestOf(person)
  }

  async digestOf(person = this.jonas): Promise<string | undefined> {
    const { mails } = this.world
    const before = mails.length
    await this.send()
    const own = mails.slice(before).filter(({ to }) => to === person.email)
    if (own.length > 1) throw new Error('There were two.')
    return own[0]?.text
  }

  consent(consents: object, person = this.jonas) {
    return person.call('PUT', '/api/v1/notification-consents', { body: consents })
  }

  day(days: number): string {
    return new Date(this.world.now.getTime() + days * DAY * 1000).toISOString().slice(0, 10)
  }

  /** A new action, for Jonas unless said otherwise. */
  async action(fields: object, by = this.mia): Promise<string> {
    const body = { id: uuidv7(), assignee_id: this.jonas.id, ...fields }
    const made = await by.post('/api/v1/actions', body)
    if (made.status !== 201) throw new Error(`The action was refused: ${made.text}`)
    return body.id
  }

  update(plan: string, by = this.mia) {
    return by.post(`/api/v1/success-plans/${plan}/updates`, { body: 'News' })
  }

  /** Something of every kind, for Jonas. */
  async createDueWork(): Promise<{ stale: string; told: string }> {
    const owner_id = this.jonas.id
    const stale = await this.mia.createPlan({
      title: 'Quiet plan',
      owner_id,
      status: 'in-progress',
    })
    const last_update_at = `${this.day(-15)}T00:00:00.000Z`
    await this.world.database.system((tx) =>
      tx.updateTable('success_plans').set({ last_update_at }).where('id', '=', stale).execute(),
    )
    const updatedPlan = await this.mia.createPlan({ title: 'Told plan', owner_id })
    await this.update(updatedPlan)
    await this.action({ title: 'Late thing', due_date: this.day(-3), success_plan_id: updatedPlan })
    await this.action({ title: 'Near thing', due_date: this.day(2) })
    return { stale, told: updatedPlan }
  }
}
