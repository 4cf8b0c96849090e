// Outgoing notifications: enqueued in the transaction that causes them and sent after the commit. Recipients
// and their membership are looked up when a job runs, not when it is enqueued.
import { sql, type Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { PushMessage } from '../../contract/schemas/push.ts'
import { useBudget } from '../auth/budgets.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { PushService } from '../integrations/web-push.ts'
import { messagesForUpdate } from './push-recipients.ts'
import { createJobQueue, type JobQueue, type JobResult } from './queue.ts'

/** The queue of outgoing notifications. */
export interface PushQueue extends JobQueue {
  /** Whether the endpoint of a subscription belongs to a configured push service. */
  isAllowedEndpoint(endpoint: string): boolean
  /**
   * Notifies the followers of an update's plan once the transaction has committed; beyond a number in a day by one
   * author they find it in the app and the digest only.
   */
  enqueueUpdate(
    tx: Tx,
    update: { id: string; organisation_id: string; user_id: string },
  ): Promise<void>
  /** Notifies one user, in each of their browsers. */
  enqueue(tx: Tx, message: PushMessage): Promise<void>
}

const DAY_MS = 24 * 60 * 60_000
/** Older news is only in the digest. */
const PUSH_TTL_MS = DAY_MS
/** Of one author in a day: several times what a person writes. */
const MAX_UPDATES = 200

type PushRow = Selectable<Tables['pushes']>

/** A queue that sends by `service`. */
export function createPushQueue(
  database: Database,
  { service, now }: { service: PushService; now: () => Date },
): PushQueue {
  const newJob = () => ({
    id: uuidv7(),
    next_attempt_at: now().toISOString(),
    expires_at: new Date(now().getTime() + PUSH_TTL_MS).toISOString(),
  })

  /** A browser shows the last message of a tag, so one that still waits for its turn is replaced in its place. */
  async function enqueue(tx: Tx, message: PushMessage): Promise<void> {
    const { user_id, organisation_id, tag } = message
    const { next_attempt_at, expires_at } = newJob()
    const content = JSON.stringify(message)
    await sql`
      with browsers as (select id from push_subscriptions where user_id = ${user_id}),
        -- Under way, or postponed: sent late, it would replace this one.
        tried as (
          delete from pushes
          where organisation_id = ${organisation_id} and subscription_id in (select id from browsers)
            and message ->> 'tag' = ${tag} and attempts > 0
        ),
        waiting as (
          update pushes set message = ${content}, expires_at = ${expires_at}
          where organisation_id = ${organisation_id}
            and subscription_id in (select id from browsers) and message ->> 'tag' = ${tag} and attempts = 0
          returning subscription_id
        )
      insert into pushes
        (organisation_id, id, subscription_id, message, next_attempt_at, expires_at)
      select ${organisation_id}::uuid, gen_random_uuid(), id, ${content}::jsonb,
        ${next_attempt_at}::timestamptz, ${expires_at}::timestamptz
      from browsers where id not in (select subscription_id from waiting)`.execute(tx)
  }

  /** Replaces the job for an update by one job for each browser. */
  const fanOut = (organisation_id: string, update_id: string): JobResult => ({
    done: {},
    async alsoInTransaction(tx) {
      for (const message of await messagesForUpdate(tx, organisation_id, update_id))
        await enqueue(tx, message)
    },
  })

  /** The browser to send to; undefined when its user has left the organisation. */
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

  async function attempt(job: PushRow): Promise<JobResult> {
    const { organisation_id, update_id, message, expires_at } = job
    if (update_id !== null) return fanOut(organisation_id, update_id)
    const subscription = await subscriptionOf(job)
    // Another user may have signed in on that browser since.
    if (!subscription || !message || subscription.user_id !== message.user_id) return { done: {} }
    const ttlSeconds = Math.round((Date.parse(expires_at) - now().getTime()) / 1_000)
    const outcome = await service.send(subscription, message, ttlSeconds)
    if (typeof outcome !== 'string') return outcome
    const done = {
      event: `push ${outcome}`,
      level: outcome === 'refused' ? ('error' as const) : ('info' as const),
    }
    if (outcome !== 'gone') return { done }
    const alsoInTransaction = (tx: Tx) =>
      tx.deleteFrom('push_subscriptions').where('id', '=', subscription.id).execute()
    return { done, alsoInTransaction }
  }

  return {
    ...createJobQueue(database, {
      table: 'pushes',
      name: 'push',
      now,
      organisation: 'organisation_id',
      attempt,
    }),
    isAllowedEndpoint: (endpoint) => service.isAllowedEndpoint(endpoint),
    async enqueueUpdate(tx, { id: update_id, organisation_id, user_id }) {
      const budget = { subject: `push by ${user_id}`, max: MAX_UPDATES, windowMs: DAY_MS }
      if ((await useBudget(tx, budget, now())) > 0) return
      await tx
        .insertInto('pushes')
        .values({ ...newJob(), organisation_id, update_id })
        .execute()
    },
    enqueue,
  }
}

interface UpdateCall {
  services: { push: PushQueue | undefined }
  tx: Tx
  organisation: { id: string }
  user: { id: string }
  afterCommit: (work: () => Promise<void>) => void
}

/** Notifies the followers of a plan of an update that this request wrote, after the commit. */
export async function notifyFollowers(call: UpdateCall, update_id: string): Promise<void> {
  const { push } = call.services
  if (!push) return
  const { organisation, user } = call
  const update = { id: update_id, organisation_id: organisation.id, user_id: user.id }
  await push.enqueueUpdate(call.tx, update)
  // Not awaited: the response does not wait for a push service.
  call.afterCommit(async () => void push.deliver())
}
