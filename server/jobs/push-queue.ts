// Outgoing notifications: enqueued in the transaction that causes them and sent after the commit. Recipients
// and their membership are looked up when a job runs, not when it is enqueued.
import type { Selectable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { PushMessage } from '../../contract/schemas/push.ts'
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
  /** Notifies the followers of an update's plan once the transaction has committed. */
  enqueueUpdate(tx: Tx, organisation_id: string, update_id: string): Promise<void>
  /** Notifies one user, in each of their browsers. */
  enqueue(tx: Tx, message: PushMessage): Promise<void>
}

/** Older news is only in the digest. */
const PUSH_TTL_MS = 24 * 60 * 60_000

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
          ...newJob(),
          organisation_id: message.organisation_id,
          subscription_id,
          message: JSON.stringify(message),
        })
        .execute()
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
    ...createJobQueue(database, { table: 'pushes', name: 'push', now, attempt }),
    isAllowedEndpoint: (endpoint) => service.isAllowedEndpoint(endpoint),
    async enqueueUpdate(tx, organisation_id, update_id) {
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
  afterCommit: (work: () => Promise<void>) => void
}

/** Notifies the followers of a plan of an update that this request wrote, after the commit. */
export async function notifyFollowers(call: UpdateCall, update_id: string): Promise<void> {
  const { push } = call.services
  if (!push) return
  await push.enqueueUpdate(call.tx, call.organisation.id, update_id)
  // Not awaited: the response does not wait for a push service.
  call.afterCommit(async () => void push.deliver())
}
