// Notifications that are to be shown: written with what gives reason for them, sent after the commit,
// tried again while the push service is away. Who is told, and whether they still belong to the
// organisation, is looked up when it is sent.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { PushMessage } from '../../contract/push.ts'
import type { Database, Tx } from '../database.ts'
import { errorFields, log } from '../log.ts'
import type { Tables } from '../tables.ts'
import type { PushService } from './push.ts'
import { readersOf } from './push-readers.ts'

export interface PushQueue {
  /** Whether a browser may be reached by that address. */
  isKnown(endpoint: string): boolean
  /** Has those who follow its plan told of an update, once the transaction has committed. */
  addUpdate(tx: Tx, organisation_id: string, update_id: string): Promise<void>
  /** Has somebody told, in each of their browsers. */
  add(tx: Tx, message: PushMessage): Promise<void>
  /** Sends what is due. Resolves when nothing is due any more; what fails is logged and tried again later. */
  deliver(): Promise<void>
  /** Finishes what is on its way and begins nothing else. */
  end(): Promise<void>
}

const MINUTE = 60_000
/** Whoever took one and was killed has not sent it. */
const TAKEN_FOR = 5 * MINUTE
/** Older news is no news: the digest has it. */
const OF_USE_FOR = 24 * 60 * MINUTE
const LONGEST_WAIT = 60 * MINUTE

type Row = Selectable<Tables['pushes']>

export function createPushQueue(
  database: Database,
  { service, now }: { service: PushService; now: () => Date },
): PushQueue {
  const inMs = (milliseconds: number) => new Date(now().getTime() + milliseconds).toISOString()
  const fresh = () => ({ id: uuidv7(), due_at: inMs(0), gives_up_at: inMs(OF_USE_FOR) })

  const take = () =>
    database.system((tx) =>
      tx
        .updateTable('pushes')
        .set((push) => ({ attempts: push('attempts', '+', 1), due_at: inMs(TAKEN_FOR) }))
        .where('id', '=', (pushes) =>
          pushes
            .selectFrom('pushes')
            .select('id')
            .where('due_at', '<=', inMs(0))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst(),
    )

  const drop = (tx: Tx, id: string) => tx.deleteFrom('pushes').where('id', '=', id).execute()

  async function add(tx: Tx, message: PushMessage): Promise<void> {
    const subscriptions = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('user_id', '=', message.user_id)
      .execute()
    for (const { id: subscription_id } of subscriptions)
      await tx
        .insertInto('pushes')
        .values({
          ...fresh(),
          organisation_id: message.organisation_id,
          subscription_id,
          message: JSON.stringify(message),
        })
        .execute()
  }

  /** One row that says what happened becomes one for each browser that shows it. */
  const spread = ({ organisation_id, id }: Row, update_id: string) =>
    database.system(async (tx) => {
      for (const message of await readersOf(tx, organisation_id, update_id)) await add(tx, message)
      await drop(tx, id)
    })

  /** Where it goes; undefined where its reader has left the organisation. */
  const subscriptionOf = ({ organisation_id, subscription_id }: Row) =>
    database.system((tx) =>
      tx
        .selectFrom('push_subscriptions as subscription')
        .innerJoin('organisation_users as member', 'member.user_id', 'subscription.user_id')
        .select(['subscription.id', 'subscription.user_id', 'endpoint', 'p256dh', 'auth'])
        .where('subscription.id', '=', subscription_id)
        .where('member.organisation_id', '=', organisation_id)
        .executeTakeFirst(),
    )

  async function send(row: Row): Promise<void> {
    const { id, update_id, message, attempts, gives_up_at } = row
    if (update_id !== null) return await spread(row, update_id)
    const subscription = await subscriptionOf(row)
    const isOfUse = gives_up_at > inMs(0) && subscription?.user_id === message?.user_id
    if (!subscription || !message || !isOfUse)
      return void (await database.system((tx) => drop(tx, id)))
    const about = { push: id, attempts }
    let again_in = Math.min(LONGEST_WAIT, MINUTE * 2 ** (attempts - 1))
    try {
      const seconds = Math.round((Date.parse(gives_up_at) - now().getTime()) / 1_000)
      const pushed = await service.send(subscription, message, seconds)
      if (typeof pushed === 'string') {
        log(pushed === 'refused' ? 'error' : 'info', `push ${pushed}`, about)
        const isGone = pushed === 'gone'
        return await database.system(async (tx) => {
          await drop(tx, id)
          if (isGone)
            await tx.deleteFrom('push_subscriptions').where('id', '=', subscription.id).execute()
        })
      }
      again_in = Math.max(again_in, pushed.again_in)
    } catch (error) {
      log('error', 'push not sent', { ...about, ...errorFields(error) })
    }
    const due_at = inMs(again_in)
    await database.system((tx) =>
      tx.updateTable('pushes').set({ due_at }).where('id', '=', id).execute(),
    )
  }

  const next = () => (isOver ? undefined : take())
  let running: Promise<void> | undefined
  let isCalled = false
  let isOver = false
  async function run(): Promise<void> {
    try {
      while (isCalled) {
        isCalled = false
        for (let row = await next(); row; row = await next()) await send(row)
      }
    } catch (error) {
      log('error', 'pushes not delivered', errorFields(error))
    } finally {
      running = undefined
    }
  }

  return {
    isKnown: (endpoint) => service.isKnown(endpoint),
    async addUpdate(tx, organisation_id, update_id) {
      await tx
        .insertInto('pushes')
        .values({ ...fresh(), organisation_id, update_id })
        .execute()
    },
    add,
    deliver() {
      isCalled = true
      running ??= run()
      return running
    },
    async end() {
      isOver = true
      await running
    },
  }
}

interface Call {
  services: { push: PushQueue | undefined }
  tx: Tx
  organisation: { id: string }
  afterwards: (work: () => Promise<void>) => void
}

/** Has the followers of a plan told of an update that this call wrote, when it has committed. */
export async function tellOfUpdate(call: Call, update_id: string): Promise<void> {
  const { push } = call.services
  if (!push) return
  await push.addUpdate(call.tx, call.organisation.id, update_id)
  // Nobody's answer waits for a push service.
  call.afterwards(async () => void push.deliver())
}
