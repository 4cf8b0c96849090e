// The digest: one mail in the morning, daily or weekly, with the news that its reader has chosen.
import { DEFAULT_CONSENTS } from '../../contract/schemas/settings.ts'
import { sentence } from '../../contract/text/sentence.ts'
import type { Tx } from '../database/connection.ts'
import type { Database } from '../database/database.ts'
import { loadConsents } from '../domain/notification-consents.ts'
import { buildSections, type Section } from './digest-sections.ts'
import type { Mail } from '../integrations/mail.ts'
import { MORNING_BATCH_SIZE, runMorningJob, type Morning } from './morning.ts'
import type { MailQueue } from './mail-queue.ts'

interface DigestContext {
  database: Database
  mail: MailQueue
  publicUrl: () => string
  now: () => Date
}

interface User {
  id: string
  name: string
  email: string
}

const DAY_MS = 86_400_000
/** The latest changes may not be committed yet. They are in the next digest. */
const COMMIT_MARGIN_MS = 60_000

/** Enqueues the digests of all users for whom it is morning, and sends them. */
export async function sendDigests(context: DigestContext): Promise<void> {
  const now = context.now()
  await runMorningJob(context.database, now, {
    users: findRecipients,
    run: (tx, user, { day }) => enqueueDigest(tx, context, user, { day, now }),
    failureEvent: 'digest not enqueued',
  })
  await context.mail.deliver()
}

/** Users with a proven address who want a digest on this day and have none yet. */
const findRecipients = (
  tx: Tx,
  { timezone, day, isMonday }: Morning,
  afterId: string,
): Promise<User[]> =>
  tx
    .selectFrom('users')
    .innerJoin('verified_addresses as proven', (join) =>
      join.onRef('proven.user_id', '=', 'users.id').onRef('proven.email', '=', 'users.email'),
    )
    .leftJoin('notification_consents as consents', 'consents.user_id', 'users.id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('users.timezone', '=', timezone)
    .where('users.id', '>', afterId)
    .where(
      (row) => row.fn.coalesce('consents.digest', row.val<string>(DEFAULT_CONSENTS.digest)),
      'in',
      isMonday ? ['daily', 'weekly'] : ['daily'],
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('digests')
            .select('day')
            .whereRef('digests.user_id', '=', 'users.id')
            .where('day', '=', day),
        ),
      ),
    )
    .orderBy('users.id')
    .limit(MORNING_BATCH_SIZE)
    .execute()

/** Claims the day and enqueues the mail, both or neither. No mail when there is no news. */
async function enqueueDigest(
  tx: Tx,
  { mail, publicUrl }: DigestContext,
  user: User,
  { day, now }: { day: string; now: Date },
): Promise<void> {
  const until = new Date(now.getTime() - COMMIT_MARGIN_MS).toISOString()
  const claimed = await tx
    .insertInto('digests')
    .values({ user_id: user.id, day, sent_at: until })
    .onConflict((conflict) => conflict.columns(['user_id', 'day']).doNothing())
    .returning('day')
    .executeTakeFirst()
  if (!claimed) return
  const last = await tx
    .selectFrom('digests')
    .select((row) => row.fn.max('sent_at').as('sent_at'))
    .where('user_id', '=', user.id)
    .where('day', '<', day)
    .executeTakeFirst()
  const consents = await loadConsents(tx, user.id)
  const isDaily = consents.digest === 'daily'
  const since =
    last?.sent_at ?? new Date(now.getTime() - (isDaily ? DAY_MS : 7 * DAY_MS)).toISOString()
  const organisations = await tx
    .selectFrom('organisation_users')
    .innerJoin('organisations', 'organisations.id', 'organisation_users.organisation_id')
    .select(['organisations.id', 'organisations.name', 'organisations.timezone'])
    .where('organisation_users.user_id', '=', user.id)
    .orderBy('organisations.name')
    .execute()
  const parts: { name: string; sections: Section[] }[] = []
  for (const organisation of organisations) {
    const recipient = { id: user.id, consents, since, until }
    const sections = await buildSections(tx, organisation, recipient, now)
    if (sections.length > 0) parts.push({ name: organisation.name, sections })
  }
  if (parts.length === 0) return
  const expiresAt = new Date(now.getTime() + DAY_MS).toISOString()
  await mail.enqueue(tx, compose(user, parts, { isDaily, url: publicUrl() }), { expiresAt })
}

/** The digest as a mail. `url`: origin of the app. */
function compose(
  user: User,
  parts: { name: string; sections: Section[] }[],
  { isDaily, url }: { isDaily: boolean; url: string },
): Mail {
  const unsubscribe = `${url}/settings/notifications`
  const paragraphs = parts.flatMap(({ name, sections }) => [
    sentence`In ${name}:`,
    ...sections.map(({ heading, items, total }) => {
      const lines = items.map(({ text, path }) => `- ${text}\n${url}${path}`)
      const rest = total - items.length
      return [`${heading}:`, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
    }),
  ])
  return {
    to: user.email,
    subject: isDaily ? 'Your day in Cairn' : 'Your week in Cairn',
    text: [
      sentence`Hello ${user.name},`,
      ...paragraphs,
      `Choose what is in this email, and how often you get it, in your settings:\n${unsubscribe}`,
    ].join('\n\n'),
    unsubscribe,
  }
}
