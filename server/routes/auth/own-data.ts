// A user's own data as a file. What they have posted may be long, so it is read as the device takes it.
import type { Context } from 'hono'
import type { SignedIn } from '../../auth/tokens.ts'
import { endpoints } from '../../../contract/endpoints.ts'
import type { Tx } from '../../database/connection.ts'
import { findMemberships } from '../../domain/account-deletion.ts'
import { loadConsents } from '../../domain/notification-consents.ts'
import { findOrganisation, notAMember } from '../../domain/organisation.ts'
import { chunked } from '../../domain/records.ts'
import { HttpError, retryAfter, unauthenticated } from '../../errors/http-error.ts'
import { outgoingOf, timeToTakeMs } from '../../http/access/unsent-answers.ts'
import { authenticate } from '../../http/authenticate.ts'
import type { RouteHandler } from '../../http/route.ts'
import type { Services } from '../../http/services.ts'
import { errorFields, log } from '../../log.ts'
import { presentUser } from './userinfo.ts'

/** Of all users together, in this process. */
const MAX_AT_A_TIME = 20
/** Texts that are in memory at a time. */
const UPDATES_AT_A_TIME = 100
/** A sign-out is noticed after so long. */
const MAX_AGE_MS = 1_000

const running = new Set<string>()

/**
 * Takes the user's place; returns what frees it. Throws a 429 HttpError for a second one of the user, 503 where none is
 * left.
 */
function reserve(user_id: string): () => void {
  if (running.has(user_id)) throw retryAfter(429, 'Your data is being downloaded already.', 10)
  if (running.size >= MAX_AT_A_TIME)
    throw retryAfter(503, 'Too many people download their data. Please try again.', 60)
  running.add(user_id)
  let isTaken = true
  return () => {
    // A download may end twice, as by an error and then its connection: the place may be that of the next one.
    if (isTaken) running.delete(user_id)
    isTaken = false
  }
}

/**
 * `GET /api/v1/own-data`: the profile, ways in, settings, memberships and saved views of the user, and what
 * they have posted. One at a time for a user: 429.
 */
export const getOwnData: RouteHandler = {
  row: endpoints.getOwnData,
  async respond(services, context) {
    const user = await authenticate(services, context)
    const headers = { 'Content-Type': 'application/json' }
    if (context.req.method === 'HEAD') return new Response(null, { headers })
    const end = reserve(user.id)
    try {
      const parts = partsOf(services, user, sessionCheck(services, user))
      // What is wrong before the first part is answered with its status.
      const first = await parts.next()
      return new Response(streamOf(context, first, parts, end), { headers })
    } catch (error) {
      end()
      throw error
    }
  },
}

/**
 * Throws a 401 HttpError where the session has ended since the last call. The download may take longer than its access
 * token is valid, and than its user makes few requests.
 */
function sessionCheck(
  { database, tokens, monotonicMs }: Services,
  { family_id }: SignedIn,
): () => Promise<void> {
  let checkedAt = monotonicMs()
  return async () => {
    if (monotonicMs() - checkedAt < MAX_AGE_MS) return
    const active = await database.auth((tx) => tokens.findActive(tx, [family_id]))
    if (!active.has(family_id)) throw unauthenticated()
    checkedAt = monotonicMs()
  }
}

const encoder = new TextEncoder()

/** Each part is read when the device has taken the one before. A device that takes none is disconnected. */
function streamOf(
  context: Context,
  first: IteratorResult<string, void>,
  parts: AsyncGenerator<string, void>,
  end: () => void,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<string, void> | undefined = first
  let timer: NodeJS.Timeout | undefined
  let isCancelled = false
  const disconnect = () => void outgoingOf(context)?.destroy()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer)
        try {
          const { done, value } = next ?? (await parts.next())
          next = undefined
          if (isCancelled) return
          if (done) {
            end()
            controller.close()
            return
          }
          const bytes = encoder.encode(value)
          controller.enqueue(bytes)
          timer = setTimeout(disconnect, timeToTakeMs(bytes.byteLength)).unref()
        } catch (error) {
          if (isCancelled) return
          end()
          const outgoing = outgoingOf(context)
          if (!outgoing) throw error
          // The status is sent: that the answer is not complete is seen by its end.
          outgoing.destroy()
          if (error instanceof HttpError) return
          const request_id = context.get('request_id')
          log('error', 'own data not read', { request_id, ...errorFields(error) })
        }
      },
      cancel() {
        isCancelled = true
        clearTimeout(timer)
        end()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The JSON, in parts. */
async function* partsOf(
  { database, now }: Services,
  user: SignedIn,
  requireSession: () => Promise<void>,
): AsyncGenerator<string, void> {
  const { memberships, ...own } = await database.auth(async (tx) => ({
    user: await presentUser(tx, user, now()),
    notification_consents: await loadConsents(tx, user.id),
    linked_sign_ins: await tx
      .selectFrom('social_sign_ins')
      .select(['provider', 'email', 'created_at'])
      .where('user_id', '=', user.id)
      .execute(),
    passkeys: await tx
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'last_used_at'])
      .where('user_id', '=', user.id)
      .execute(),
    sign_ins: await tx
      .selectFrom('token_families')
      .select(['user_agent', 'network', 'created_at', 'last_used_at', 'revoked_at'])
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .execute(),
    memberships: await findMemberships(tx, user.id),
  }))
  /** Undefined where the user is no member any more: a download may take long. */
  const asMember = <T>(id: string, read: (tx: Tx) => Promise<T>) =>
    database.tenant(id, async (tx) =>
      (await findOrganisation(tx, user.id, id)) ? read(tx) : undefined,
    )
  yield `${opened(own)},"organisations":[`
  let separator = ''
  for (const { id, name, role, created_at } of memberships) {
    await requireSession()
    const found = await asMember(id, async (tx) => ({
      saved_views: await tx
        .selectFrom('saved_views')
        .select(['id', 'name', 'search'])
        .where('organisation_id', '=', id)
        .where('user_id', '=', user.id)
        .orderBy('id')
        .execute(),
      updates: await tx
        .selectFrom('success_plan_updates')
        .select('id')
        .where('organisation_id', '=', id)
        .where('user_id', '=', user.id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    }))
    // The membership has ended since the download began: a new download would not have it either.
    if (!found) continue
    const { saved_views, updates } = found
    yield `${separator}${opened({ id, name, role, created_at, saved_views })},"updates":[`
    separator = ''
    for (const chunk of chunked(updates, UPDATES_AT_A_TIME)) {
      await requireSession()
      const rows = await asMember(id, (tx) =>
        tx
          .selectFrom('success_plan_updates')
          .innerJoin('success_plans', (join) =>
            join
              .onRef('success_plans.organisation_id', '=', 'success_plan_updates.organisation_id')
              .onRef('success_plans.id', '=', 'success_plan_updates.success_plan_id'),
          )
          .select([
            'success_plan_updates.id',
            'success_plans.title as plan',
            'success_plan_updates.body',
            'success_plan_updates.created_at',
          ])
          .where('success_plan_updates.organisation_id', '=', id)
          .where(
            'success_plan_updates.id',
            'in',
            chunk.map((row) => row.id),
          )
          .orderBy('success_plan_updates.created_at')
          .orderBy('success_plan_updates.id')
          .execute(),
      )
      if (!rows) throw notAMember()
      // All may have been deleted meanwhile.
      if (rows.length === 0) continue
      yield separator + rows.map((row) => JSON.stringify(row)).join()
      separator = ','
    }
    yield ']}'
    separator = ','
  }
  yield ']}'
}

/** An object as JSON, without its end: more members follow. */
const opened = (value: object) => JSON.stringify(value).slice(0, -1)
