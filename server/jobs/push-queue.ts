// Notifications that are to be shown: written with what gives reason for them, sent after the commit,
// tried again while the push service is away. Who is told, and whether they still belong to the
// organisation, is looked up when it is sent.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { PushMessage } from '../../contract/schemas/push.ts'
import type { Database, Tx } from '../database/database.ts'
import { errorFields, log } from '../log.ts'
import type { Tables } from '../database/tables.ts'
import type { PushService } from '../integrations/web-push.ts'
import { messagesForUpdate } from './push-recipients.ts'

export interface PushQueue {
  /** Whether a browser may be reached by that address. */
  isAllowedEndpoint(endpoint: string): boolean
  /** Has those who follow its plan told of an update, once the transaction has committed. */
  enqueueUpdate(tx: Tx, organisation_id: string, update_id: string): Promise<void>
  /** Has somebody told, in each of their browsers. */
  enqueue(tx: Tx, message: PushMessage): Promise<void>
  /** Sends what is due. Resolves when nothing is due any more; what fails is logged and tried again later. */
  deliver(): Promise<void>
  /** Finishes what is on its way and begins nothing else. */
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
/** Whoever took one and was killed has not sent it. */
const LEASE_MS = 5 * MINUTE_MS
/** Older news is no news: the digest has it. */
const PUSH_TTL_MS = 24 * 60 * MINUTE_MS
const MAX_BACKOFF_MS = 60 * MINUTE_MS

type PushRow = Selectable<Tables['pushes']>

export function createPushQueue(
  database: Database,
  { service, now }: { service: PushService; now: () => Date },
): PushQueue {
  const instantIn = (milliseconds: number) => new Date(now().getTime() + milliseconds).toISOString()
  const newRowColumns = () => ({
    id: uuidv7(),
    due_at: instantIn(0),
    gives_up_at: instantIn(PUSH_TTL_MS),
  })

  const claim = () =>
    database.system((tx) =>
      tx
        .updateTable('pushes')
        .set((push) => ({ attempts: push('attempts', '+', 1), due_at: instantIn(LEASE_MS) }))
        .where('id', '=', (pushes) =>
          pushes
            .selectFrom('pushes')
            .select('id')
            .where('due_at', '<=', instantIn(0))
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst(),
    )

  const remove = (tx: Tx, id: string) => tx.deleteFrom('pushes').where('id', '=', id).execute()

  async function enqueue(tx: Tx, message: PushMessage): Promise<void> {
    const subscriptions = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('user_id', '=', message.user_id)
      .execute()
    for (const { id: subscription_id } of subscriptions)
      await tx
        .insertInto('pushes')
        .values({
          ...newRowColumns(),
          organisation_id: message.organisation_id,
          subscription_id,
          message: JSON.stringify(message),
        })
        .execute()
  }

  /** One row that says what happened becomes one for each browser that shows it. */
  const fanOut = ({ organisation_id, id }: PushRow, update_id: string) =>
    database.system(async (tx) => {
      for (const message of await messagesForUpdate(tx, organisation_id, update_id))
        await enqueue(tx, message)
      await remove(tx, id)
    })

  /** Where it goes; undefined where its reader has left the organisation. */
  const subscriptionOf = ({ organisation_id, subscription_id }: PushRow) =>
    database.system((tx) =>
      tx
        .selectFrom('push_subscriptions as subscription')
        .innerJoin('organisation_users as member', 'member.user_id', 'subscription.user_id')
        .select(['subscription.id', 'subscription.user_id', 'endpoint', 'p256dh', 'auth'])
        .where('subscription.id', '=', subscription_id)
        .where('member.organisation_id', '=', organisation_id)
        .executeTakeFirst(),
    )

  async function send(row: PushRow): Promise<void> {
    const { id, update_id, message, attempts, gives_up_at } = row
    if (update_id !== null) return await fanOut(row, update_id)
    const subscription = await subscriptionOf(row)
    const isDeliverable = gives_up_at > instantIn(0) && subscription?.user_id === message?.user_id
    if (!subscription || !message || !isDeliverable)
      return void (await database.system((tx) => remove(tx, id)))
    const about = { push: id, attempts }
    let retryInMs = Math.min(MAX_BACKOFF_MS, MINUTE_MS * 2 ** (attempts - 1))
    try {
      const seconds = Math.round((Date.parse(gives_up_at) - now().getTime()) / 1_000)
      const outcome = await service.send(subscription, message, seconds)
      if (typeof outcome === 'string') {
        log(outcome === 'refused' ? 'error' : 'info', `push ${outcome}`, about)
        const isGone = outcome === 'gone'
        return await database.system(async (tx) => {
          await remove(tx, id)
          if (isGone)
            await tx.deleteFrom('push_subscriptions').where('id', '=', subscription.id).execute()
        })
      }
      retryInMs = Math.max(retryInMs, outcome.retryInMs)
    } catch (error) {
      log('error', 'push not sent', { ...about, ...errorFields(error) })
    }
    const due_at = instantIn(retryInMs)
    await database.system((tx) =>
      tx.updateTable('pushes').set({ due_at }).where('id', '=', id).execute(),
    )
  }

  const claimNext = () => (isStopped ? undefined : claim())
  let running: Promise<void> | undefined
  let isRequested = false
  let isStopped = false
  async function run(): Promise<void> {
    try {
      while (isRequested) {
        isRequested = false
        for (let row = await claimNext(); row; row = await claimNext()) await send(row)
      }
    } catch (error) {
      log('error', 'pushes not delivered', errorFields(error))
    } finally {
      running = undefined
    }
  }

  return {
    isAllowedEndpoint: (endpoint) => service.isAllowedEndpoint(endpoint),
    async enqueueUpdate(tx, organisation_id, update_id) {
      await tx
        .insertInto('pushes')
        .values({ ...newRowColumns(), organisation_id, update_id })
        .execute()
    },
    enqueue,
    deliver() {
      isRequested = true
      running ??= run()
      return running
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

interface UpdateCall {
  services: { push: PushQueue | undefined }
  tx: Tx
  organisation: { id: string }
  afterCommit: (work: () => Promise<void>) => void
}

/** Has the followers of a plan told of an update that this call wrote, when it has committed. */
export async function notifyFollowers(call: UpdateCall, update_id: string): Promise<void> {
  const { push } = call.services
  if (!push) return
  await push.enqueueUpdate(call.tx, call.organisation.id, update_id)
  // Nobody's answer waits for a push service.
  call.afterCommit(async () => void push.deliver())
}
